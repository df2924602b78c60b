"""Hook of MkDocs: links to files outside docs/ lead to the repository, where they also work as they stand."""

import posixpath
import re

LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname("docs/" + page.file.src_uri)

    def rewritten(link):
        target = posixpath.normpath(posixpath.join(folder, link[1]))
        if target.startswith("docs/"):
            return link[0]
        return "](%s/blob/main/%s%s)" % (config["repo_url"].rstrip("/"), target, link[2] or "")

    return LINK.sub(rewritten, markdown)
