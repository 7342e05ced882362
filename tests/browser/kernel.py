"""What the page knows of the kernel."""

IDLE = "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
# A question to the kernel, whose answer comes after whatever earlier messages made it do; and then two frames.
ANSWERED = """async () => {
    await jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestKernelInfo();
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
