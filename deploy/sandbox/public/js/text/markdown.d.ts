import type { MrkdwnNode } from './mrkdwn.js';

/** A block of Markdown; which fields it has follows from its `type`. */
export interface MarkdownNode {
  readonly type: string;
  readonly level?: number;
  readonly text?: string;
  readonly ordered?: boolean;
  readonly children?: readonly MrkdwnNode[];
  readonly items?: readonly (readonly MrkdwnNode[])[];
  readonly header?: readonly (readonly MrkdwnNode[])[];
  readonly rows?: readonly (readonly (readonly MrkdwnNode[])[])[];
}

export function parseMarkdown(text: string): MarkdownNode[];
