import type { TemplateUse } from '@stanza/contracts';
import { counted } from '../../ui/words.ts';

/** Who uses a template, by what people look for. */
export interface UseOf extends Pick<TemplateUse, 'queues' | 'schedules' | 'modals'> {
  /** Keys that compiled or sent it lately, each once. */
  readonly keys: readonly { readonly id: string; readonly name: string; readonly count: number }[];
  /** As in “1 schedule, 1 queue, 1 key”; empty where nothing uses it. Its modals are what it uses itself. */
  readonly inWords: string;
}

/** Brings together who uses a template: a key that both compiled and sent it counts once. */
export const useOf = ({ queues, schedules, modals, callers }: TemplateUse): UseOf => {
  const keys = new Map<string, { id: string; name: string; count: number }>();
  for (const { actor_id: id, name, count } of callers) {
    if (name !== null) keys.set(id, { id, name, count: count + (keys.get(id)?.count ?? 0) });
  }
  const parts = [
    [schedules.length, 'schedule'],
    [queues.length, 'queue'],
    [keys.size, 'key'],
  ] as const;
  return {
    queues,
    schedules,
    modals,
    keys: [...keys.values()],
    inWords: parts
      .filter(([count]) => count > 0)
      .map(([count, noun]) => counted(count, noun))
      .join(', '),
  };
};
