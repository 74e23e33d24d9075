"""`python -m script_editor` is the same program as `script-editor`."""

from script_editor.cli.main import main

if __name__ == "__main__":
    main()
