"""`batch`: one instruction, or a list of them, over many scripts."""

import click

from script_editor.cli.batch import exporting, planning, results, running, watching


@click.group(
    epilog="""Examples:

    \b
      script-editor batch plan --select 'video_*' --do 把“频道”改成“直播间”
      script-editor batch run b-x7k2m9qp --sample 2
      script-editor batch run b-x7k2m9qp --workers 8
      script-editor batch apply b-x7k2m9qp --clean"""
)
def batch() -> None:
    """Edit many scripts: plan, try a few, run, look, save.

    A plan is frozen: which version of which script is to be edited how, and by which model: where no setting names
    one, `run` takes that of the plan. Results are proposals unless --apply is given. A batch can be stopped at any
    moment and gone on with: nothing that was done is done or paid again.
    """


for command in (
    planning.plan, running.run, running.resume, running.retry, running.worker,
    watching.status, watching.watch, watching.list_batches, watching.failures,
    results.apply, results.revert, results.discard, exporting.export, results.cancel, results.gc,
):  # fmt: skip
    batch.add_command(command)
