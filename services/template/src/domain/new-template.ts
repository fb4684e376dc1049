import { newId } from '@stanza/runtime';
import type { TemplateKind } from './tables.ts';

/**
 * The columns that every new template or partial begins with: it has version 1, which is not live, and agents do not
 * send it.
 */
export const beginningOf = (templateId: string, at: Date, kind: TemplateKind = 'template') => ({
  template: {
    id: templateId,
    kind,
    agent_sends: false,
    settings_authors: null,
    current_version_id: null,
    current_version_number: null,
    last_version_number: 1,
    activation_count: 0,
    updated_at: at,
    archived_at: null,
  },
  version: {
    id: newId(),
    template_id: templateId,
    version_number: 1,
    note: null,
    authors: null,
    first_live_at: null,
  },
});
