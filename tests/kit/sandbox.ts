import { z } from 'zod';

const postedMessage = z.looseObject({
  channel: z.string(),
  workspace: z.string(),
  ts: z.string(),
  text: z.string().optional(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
  key: z.string().nullish(),
});

/** A message that the sandbox accepted. */
export type PostedMessage = z.output<typeof postedMessage>;

/** A fault to set, as the control surface takes it. */
export interface Fault {
  method: string;
  channel?: string;
  mode: string;
  value?: number | string;
  times?: number;
}

/** The control surface of the sandbox. */
export class SandboxControl {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Accepted messages of a channel, newest first. */
  async messages(channel: string): Promise<PostedMessage[]> {
    const response = await fetch(`${this.#url}/control/messages`);
    const all = z.array(postedMessage).parse(await response.json());
    return all.filter((message) => message.channel === channel);
  }

  /** Takes the token of a workspace from everybody who uses it. */
  async revoke(workspace: string): Promise<void> {
    const response = await fetch(`${this.#url}/control/revocations`, {
      method: 'POST',
      body: JSON.stringify({ workspace }),
    });
    if (!response.ok) throw new Error(`the sandbox refused the revocation: ${await response.text()}`);
  }

  /** Sets a fault until it was met `times` times, or for good. */
  async setFault(fault: Fault): Promise<void> {
    const response = await fetch(`${this.#url}/control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    });
    if (!response.ok) throw new Error(`the sandbox refused the fault: ${await response.text()}`);
  }

  /** Lets the platform take this many milliseconds for posts to a channel: for the next this many, or for good. */
  slowPosts(channel: string, milliseconds: number, times?: number): Promise<void> {
    const slow = { method: 'chat.postMessage', channel, mode: 'latency', value: milliseconds };
    return this.setFault({ ...slow, ...(times !== undefined && { times }) });
  }

  /** Loses the answer to the next post to a channel, which the platform accepts. */
  loseAnswer(channel: string): Promise<void> {
    return this.setFault({ method: 'chat.postMessage', channel, mode: 'reset_after', times: 1 });
  }

  /** Every accepted message that is kept, newest first. */
  async allMessages(): Promise<PostedMessage[]> {
    const response = await fetch(`${this.#url}/control/messages`);
    return z.array(postedMessage).parse(await response.json());
  }

  /** Removes all faults. */
  async clearFaults(): Promise<void> {
    const response = await fetch(`${this.#url}/control/faults`, { method: 'DELETE' });
    if (!response.ok) throw new Error(`the sandbox refused: ${await response.text()}`);
  }
}
