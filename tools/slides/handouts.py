"""Slides on paper: each with all that appears on it in the end, as PDF, printed by a Chromium."""

from tools import chromium


def write(pages):
    """Prints each page of slides to a PDF beside it; returns the paths of these.

    Raises
    ------
    SystemExit
        If there is no Chromium.
    """
    with chromium.printer() as browser:
        return [printed(browser, page) for page in pages]


def printed(browser, page):
    """One page of slides, as PDF."""
    target, tab = page.with_suffix(".pdf"), browser.new_page()
    tab.set_default_timeout(chromium.BROWSER_MILLISECONDS)
    tab.goto(f"{page.resolve().as_uri()}?print-pdf")
    tab.wait_for_selector("html.ready")
    tab.pdf(path=target, prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
    tab.close()
    return target
