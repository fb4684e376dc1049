/** The nodes that text is read into, by type. */
export interface TextNodes {
  text: { readonly text: string };
  bold: { readonly children: readonly TextNode[] };
  italic: { readonly children: readonly TextNode[] };
  strike: { readonly children: readonly TextNode[] };
  quote: { readonly children: readonly TextNode[] };
  code: { readonly text: string };
  pre: { readonly text: string };
  emoji: { readonly name: string; readonly character: string };
  link: { readonly url: string; readonly text: string };
  user: { readonly id: string; readonly label: string | undefined };
  channel: { readonly id: string; readonly label: string | undefined };
  usergroup: { readonly id: string; readonly label: string | undefined };
  broadcast: { readonly range: string };
  date: {
    /** Seconds since 1970; not a number where the source holds none. */
    readonly timestamp: number;
    readonly pattern: string;
    readonly url: string | undefined;
    readonly fallback: string | undefined;
  };
}

/** A node of text. */
export type TextNode<T extends keyof TextNodes = keyof TextNodes> = {
  [K in T]: { readonly type: K } & TextNodes[K];
}[T];

/** The nodes that a `markdown` block is read into, by type. */
export interface MarkdownNodes {
  heading: { readonly level: number; readonly children: readonly TextNode[] };
  paragraph: { readonly children: readonly TextNode[] };
  quote: { readonly children: readonly MarkdownNode[] };
  list: {
    /** Number of the first item of a numbered list. */
    readonly start: number | undefined;
    readonly items: readonly (readonly MarkdownNode[])[];
  };
  pre: { readonly text: string };
  rule: object;
  table: {
    readonly header: readonly (readonly TextNode[])[];
    readonly rows: readonly (readonly (readonly TextNode[])[])[];
  };
}

/** A block of Markdown. */
export type MarkdownNode<T extends keyof MarkdownNodes = keyof MarkdownNodes> = {
  [K in T]: { readonly type: K } & MarkdownNodes[K];
}[T];
