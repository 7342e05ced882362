"""What the page knows of the kernel."""

IDLE = "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
