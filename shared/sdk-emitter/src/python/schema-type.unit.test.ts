import { describe, expect, it } from '@jest/globals';
import { PythonTypes } from './schema-type.ts';

describe('the types of the Python SDK', () => {
  it('let a checker take and read any key of an object that is open, as a block is', () => {
    const types = new PythonTypes(new Map());
    types.declare('Block', {
      type: 'object',
      properties: { type: { type: 'string' } },
      required: ['type'],
      additionalProperties: {},
    });
    expect(types.declarations.get('Block')).toBe('Block: TypeAlias = "dict[str, Any]"\n');
  });
});
