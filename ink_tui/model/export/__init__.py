"""A session as a document to give away: Markdown, HTML, JSON Lines."""
