import { describe, expect, it } from '@jest/globals';
import { needsDeletable, needsUnopened, needsUnused } from './deletion.ts';

const archived = { archived_at: new Date(0) };

describe('a deletion', () => {
  it('of a template requires it to be archived and unreferenced', () => {
    expect(() => needsDeletable(archived, [])).not.toThrow();
    expect(() => needsDeletable({ archived_at: null }, [])).toThrow(/archive it/);
    const queue = { kind: 'queue' as const, id: 'q1', name: 'Digest' };
    expect(() => needsDeletable(archived, [queue])).toThrow(
      expect.objectContaining({
        code: 'invalid_state',
        message: 'The template is used by the queue "Digest".',
        facts: expect.objectContaining({ details: 'queue q1: Digest' }),
      }),
    );
  });

  it('names what refers to the template by its id where the caller may not read it', () => {
    const hidden = { kind: 'queue' as const, id: 'q1', name: undefined };
    const refusal = (what: string) =>
      expect.objectContaining({
        message: `The ${what} the queue q1.`,
        facts: expect.objectContaining({ details: 'queue q1' }),
      });
    expect(() => needsDeletable(archived, [hidden])).toThrow(refusal('template is used by'));
    expect(() => needsUnopened([hidden])).toThrow(refusal('modal is opened by'));
  });

  it.each([
    [1, 0, 'The entity describes 1 template version; delete these first.'],
    [0, 2, 'The entity describes 2 pieces of sample data; delete these first.'],
    [3, 1, 'The entity describes 3 template versions and 1 piece of sample data; delete these first.'],
  ])(
    'of an entity with %i versions and %i pieces of sample data is refused',
    (versions, sampleData, message) => {
      expect(() => needsUnused({ versions, sampleData })).toThrow(message);
    },
  );

  it('of an unreferenced entity is allowed', () => {
    expect(() => needsUnused({ versions: 0, sampleData: 0 })).not.toThrow();
  });
});
