/** Where a first message goes where no target is known. */
const anyChannel = 'C0DEPLOYS';

/** What a line of a program sends. */
export interface Sent {
  /** Origin of the API. */
  readonly origin: string;
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly channel?: string | undefined;
}

/** A text as a shell takes it whole. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The lines by which programs send a template. The API key is read from the variable KEY. */
export const sendLines = ({ origin, key, data, channel = anyChannel }: Sent) => {
  const body = JSON.stringify({ template_key: key, data, channel_id: channel });
  return {
    curl: `curl -s -X POST ${origin}/v1/templates/send -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d ${quoted(body)}`,
    sdk: `import { Stanza } from '@stanza/sdk';

const stanza = new Stanza({ url: ${JSON.stringify(origin)}, key: process.env.KEY });
await stanza.send(${JSON.stringify(key)}, ${JSON.stringify({ channel_id: channel, data })});`,
    // Not by `echo`, which in many shells takes `\n` in the JSON for the end of a line.
    cli: `printf %s ${quoted(JSON.stringify(data))} | STANZA_URL=${origin} STANZA_KEY="$KEY" stanza send ${key} --channel ${channel} --data -`,
  } as const;
};
