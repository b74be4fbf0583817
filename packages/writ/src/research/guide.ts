import type { Topic, Workflow } from "../contract/index.ts";

const text = `# Research

A workspace can hold a library of literature: works that sources told of, each with who told it, when and by which
equation; what was decided; and the networks that citations make of them.

## The loop

1. \`writ research seed --spec equation.yml\` asks a source and brings papers in; \`--from-file\` takes a file of a
   reference manager or a database instead. \`--preview\` shows what would be asked, \`--estimate\` what it would cost.
2. \`writ research chain\` follows citations in both directions and ranks what the library points at most.
3. \`writ research curate filter\`, \`accept\`, \`reject\`, or \`dump\` and \`apply\` with a spreadsheet between: what stays.
4. \`writ research build\`: networks of papers, authors, institutions and keywords, with communities.
5. \`writ research read top --by reading\`: what to read, in which order.

\`writ research status\` says where the loop stands and names the next commands in full, the newest runs, and how one
that stopped goes on or is given up.

## What is kept

Nothing is rewritten. A run adds what it was told; \`writ research curate undo --run RUN\` takes it back, and undoing
the undo brings it again. A paper is computed from all that counts: the same works in any order give the same library,
and \`corpus_hash\` is one number for it.

A paper answers to every id it ever had, to its DOI in any spelling, and to its id at a source. As evidence it is cited
as \`paper:<id>\`, or \`paper:<id>@<row hash>\` for exactly this state of it: \`writ explain paper:10.5555/a1\`.

## Keeping and moving

\`writ research snapshot create\` writes everything to Parquet files with their hashes; \`writ research snapshot restore\`
unites such a folder with what is there. \`writ research validate\` checks that the library agrees with itself.
`;

/** The guide to research. */
export const researchTopics: Topic[] = [{ name: "research", title: "Research", text }];

/** The usual ways through research, for the manual. */
export const researchWorkflows: readonly Workflow[] = [
  {
    title: "From an equation to a reading list",
    steps: [
      "writ init review --template research --json",
      "writ research seed --spec equation.yml --preview --json",
      "writ research seed --spec equation.yml --json",
      "writ research chain --json",
      "writ research curate filter --year-gte 2015 --json",
      "writ research build --json",
      "writ research read top --by reading --json",
      "writ research snapshot create --json",
    ],
  },
  {
    title: "Try research offline",
    steps: [
      "writ research seed --from-file demo/works.jsonl --json",
      "writ research build --json",
      "writ research read list --fields id,title,abstract --json",
      "writ research curate accept --ids 10.5555/writ-demo.01 --json",
      "writ research status --json",
    ],
  },
];
