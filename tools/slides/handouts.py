"""Slides on paper: each with all that appears on it in the end, as PDF, printed by a Chromium."""

from tools import chromium

LONG = 600_000  # ms; only what hangs ends here


def write(pages):
    """Prints each page of slides to a PDF beside it; returns the paths of these.

    Raises
    ------
    RuntimeError
        If there is no Chromium.
    """
    from playwright.sync_api import sync_playwright

    found = chromium.find()
    if found is None:
        raise RuntimeError("Handouts are printed by a Chromium, and none was found; `make test` says how to get one.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"], timeout=LONG)
        made = [printed(browser, page) for page in pages]
        browser.close()
    return made


def printed(browser, page):
    """One page of slides, as PDF."""
    target, tab = page.with_suffix(".pdf"), browser.new_page()
    tab.set_default_timeout(LONG)
    tab.goto(f"{page.resolve().as_uri()}?print-pdf")
    tab.wait_for_selector("html.ready")
    tab.pdf(path=target, prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
    tab.close()
    return target
