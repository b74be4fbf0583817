import type { ErrorCode } from "../../../contract/index.ts";

/** What a person at a browser is told where the cockpit itself cannot tell it. */
export interface Message {
  code: ErrorCode;
  title: string;
  message: string;
  cause: string;
  remediation: string;
  /** A link that may help. */
  link?: { to: string; text: string };
}

/** A page without a script: what happened, why, and what to do. */
export function messagePage(told: Message, stylesheet: string | undefined): string {
  const { title, message, cause, remediation, link } = told;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Writ: ${escaped(title)}</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
${stylesheet ? `    <link rel="stylesheet" href="${escaped(stylesheet)}">\n` : ""}  </head>
  <body>
    <header><h1>Writ</h1></header>
    <main>
      <h2>${escaped(message)}</h2>
      <p>${escaped(cause)}</p>
      <p>${escaped(remediation)}</p>
${link ? `      <p><a href="${escaped(link.to)}">${escaped(link.text)}</a></p>\n` : ""}    </main>
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
