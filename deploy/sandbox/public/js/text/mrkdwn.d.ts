/** A node of the tree that mrkdwn is read into; which fields it has follows from its `type`. */
export interface MrkdwnNode {
  readonly type: string;
  readonly text?: string;
  readonly children?: readonly MrkdwnNode[];
  readonly url?: string | undefined;
  readonly id?: string;
  readonly label?: string | undefined;
  readonly range?: string;
  readonly name?: string;
  readonly character?: string;
  readonly timestamp?: number;
  readonly pattern?: string;
  readonly fallback?: string | undefined;
}

export function parseMrkdwn(text: string): MrkdwnNode[];
export function parseInline(text: string): MrkdwnNode[];
export function parseEmoji(text: string): MrkdwnNode[];
export function decodeEntities(text: string): string;
