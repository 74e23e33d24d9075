"""What services say when an account is empty, and what only sounds like it."""

import pytest

from script_editor.errors import AccountEmpty, ModelFailure, SetupError
from script_editor.llm.failures import Complaint, Endpoint, complained

ENDPOINT = Endpoint("api.example:443", "m", secrets=())


def told(status: int, message: str, code: str = "") -> SetupError | ModelFailure:
    return complained(ENDPOINT, Complaint(status, message, code))


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (402, "Insufficient Balance", "unknown_error invalid_request_error"),
        (
            429,
            "You exceeded your current quota, please check your plan",
            "insufficient_quota insufficient_quota",
        ),
        (400, "Billing hard limit has been reached", "billing_hard_limit_reached"),
        (429, "Your account is suspended, please check your plan", "exceeded_current_quota_error"),
        (429, "您的账户已欠费，请充值后重试。", "1113"),
        (400, "Access denied, please make sure your account is in good standing.", "Arrearage"),
        (403, "The request failed because your account has an overdue balance.", "AccountOverdueError"),
        (403, "The free tier of the model has been exhausted.", "AllocationQuota.FreeTierOnly"),
        (403, "用户额度不足, 剩余额度: ＄0.00", "insufficient_user_quota"),
        (200, "insufficient balance", "insufficient_balance_error"),
    ],
)
def test_a_code_that_names_an_empty_account_is_certain(status: int, message: str, code: str) -> None:
    error = told(status, message, code)

    assert isinstance(error, AccountEmpty)
    assert error.is_certain
    assert (error.exit_code, error.code) == (6, "account_empty")
    assert message in str(error) and "Top it up" in error.hint


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Your credit balance is too low to access the API. Please go to Plans & Billing."),
        (403, "Sorry, your account balance is insufficient"),
        (403, "Your team has used all available credits or reached its monthly spending limit"),
        (412, "Account suspended: monthly spending limit reached"),
        (401, "账户余额不足，请充值"),
    ],
)
def test_words_alone_are_believed_but_not_certain(status: int, message: str) -> None:
    error = told(status, message)

    assert isinstance(error, AccountEmpty)
    assert not error.is_certain


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (429, "You exceeded your current quota. Please retry in 31s.", "429 RESOURCE_EXHAUSTED"),
        (429, "Rate limit reached for requests", "rate_limit_exceeded"),
        (429, "Allocated quota exceeded, please increase your quota limit.", "Throttling.AllocationQuota"),
        (503, "no credits are needed", ""),
    ],
)
def test_a_limit_that_is_over_in_a_minute_is_waited_for(status: int, message: str, code: str) -> None:
    error = told(status, message, code)

    assert isinstance(error, ModelFailure)
    assert error.retryable
