import type { TestTarget } from '@stanza/contracts';
import type { Place } from '../../api/request.ts';
import { type ChatNames, targetName } from '../../shell/target-names.ts';

/** Where a test goes, as the API takes it. */
export type Destination = Pick<TestTarget, 'channel_id' | 'recipient_email' | 'recipient_chat_id'>;

/** A choice of the list. */
export interface Choice {
  /** Tells it from the others, and is what the browser remembers. */
  readonly id: string;
  readonly label: string;
  readonly destination: Destination;
}

const forms = ['channel_id', 'recipient_email', 'recipient_chat_id'] as const;

/** The choice that a target of an admin is, by its name where that is known. */
export const choiceOf = (target: TestTarget, names: ChatNames): Choice => {
  const form = forms.find((it) => typeof target[it] === 'string') ?? 'channel_id';
  const id = target[form] ?? '';
  const name = targetName(target, names);
  return {
    id: `${form}:${id}`,
    label: target.description ? `${target.description} (${name})` : name,
    destination: { [form]: id },
  };
};

/** The choices of somebody: what an admin has listed, and themselves where their address is known. */
export const choicesOf = (
  targets: readonly TestTarget[],
  email: string | null | undefined,
  names: ChatNames,
): Choice[] => {
  const listed = targets.map((target) => choiceOf(target, names));
  if (!email || listed.some(({ id }) => id === `recipient_email:${email}`)) return listed;
  return [
    ...listed,
    { id: `recipient_email:${email}`, label: `Me (${email})`, destination: { recipient_email: email } },
  ];
};

const keyOf = ({ organization, environment }: Place): string =>
  `stanza.test-target.${organization}.${environment}`;

/** The choice of the last test in this place; empty where there was none. */
export const rememberedTarget = (place: Place): string => localStorage.getItem(keyOf(place)) ?? '';

/** Remembers the choice for the next test. A browser without storage begins with the first one each time. */
export const rememberTarget = (place: Place, id: string): void => {
  try {
    localStorage.setItem(keyOf(place), id);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
};

/** The channel of the last test; undefined where it went to a person. */
export const rememberedChannel = (place: Place): string | undefined => {
  const [form, name] = rememberedTarget(place).split(':');
  return form === 'channel_id' && name ? name : undefined;
};
