"""Commands of the chat itself: which script, which model, what it took, and leaving."""

import click

from script_editor.cli.chat_place import Place, Told
from script_editor.cli.session import Session


def script(place: Place, words: list[str]) -> Told:
    if len(words) > 1:
        raise click.UsageError("Name one script: /script ID")
    info = place.chat.move(words[0]) if words else place.chat.script
    if info is None:
        raise click.UsageError("The chat is about no script yet. Choose one: /script ID")
    place.session.result(
        {"script": info.id, "version": f"v{info.head_number}"}, [script_line(place.session, info.id)]
    )
    return Told(facts=(f"The conversation is about {info.id} now.",) if words else ())


def model(place: Place, words: list[str]) -> Told:
    if len(words) > 1:
        raise click.UsageError("Name one model: /model NAME")
    if words:
        _switch_model(place, words[0])
    name = place.session.app.model.name
    place.session.result({"model": name}, [f"Model: {name}"])
    return Told()


def _switch_model(place: Place, name: str) -> None:
    """Build the application anew with another model; the chat goes on in it. Raises SetupError, and nothing changed."""
    session = place.session
    old_app, old_name = session.app, session.model
    session.model = name
    del session.__dict__["app"]
    try:
        session.app.model  # noqa: B018  # a model that cannot be had is refused now, not in the next turn
        place.chat = session.app.chats.resume(place.chat.chat.id)
    except BaseException:
        if "app" in session.__dict__:
            session.app.close()
        session.model = old_name
        session.__dict__["app"] = old_app
        raise
    old_app.close()


def cost(place: Place, _words: list[str]) -> Told:
    from script_editor.app.usage import spent_on_all
    from script_editor.cli import render
    from script_editor.cli.usage import money, spent_data

    app = place.session.app
    spent = spent_on_all(app.runs.costs(chat_id=place.chat.chat.id), app.runs.prices)
    if spent is None:
        place.session.result({"runs": 0}, ["This chat: 0 runs, nothing was spent."])
        return Told()
    left = f" (of {spent.unreported} the service told no tokens)" if spent.unreported else ""
    tokens = f"{'at least ' if spent.partly else ''}{spent.tokens_in:,} + {spent.tokens_out:,} tokens"
    place.session.result(
        spent_data(spent),
        [f"This chat: {render.count(spent.runs, 'run')}{left}, {tokens}, {money(spent)}."],
    )
    return Told()


def save(place: Place, words: list[str]) -> Told:
    name = " ".join(words)
    if not name:
        raise click.UsageError("Give the chat a name: /save NAME")
    place.chat.rename(name)
    place.session.result({"session": place.chat.chat.id, "name": name}, [f"This chat is named {name!r} now."])
    return Told()


def quit(_place: Place, _words: list[str]) -> Told:
    return Told(leaves=True)


def script_line(session: Session, script_id: str) -> str:
    """Return which script the chat is about: "Script video_003 (v7, 0:58)."."""
    from script_editor.cli import render
    from script_editor.domain.duration import estimate

    head = session.app.scripts.read(script_id)
    return f"Script {head.script_id} (v{head.number}, {render.clock(estimate(head.text).seconds)})."
