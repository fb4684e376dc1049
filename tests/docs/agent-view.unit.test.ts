import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { agentViewFile, agentViewSource } from './agent-view.ts';

describe('the page that shows a preview beside an agent', () => {
  it('is that of the sources; npm run docs writes it', async () => {
    expect(readFileSync(join(import.meta.dirname, '../..', agentViewFile), 'utf8')).toBe(
      await agentViewSource(),
    );
  });
});
