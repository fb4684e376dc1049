import { describe, expect, it } from '@jest/globals';
import { traceIdOf } from './tracing.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('the trace of a traceparent', () => {
  it('is its second part', () => {
    expect(traceIdOf(`00-${trace}-00f067aa0ba902b7-01`)).toBe(trace);
  });

  it.each([
    undefined,
    '',
    trace,
    'Bearer hunter2',
    `00-${trace}-00f067aa0ba902b7`,
    `00-${trace}-00f067aa0ba902b7-01-hunter2`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
    `hunter2 00-${trace}-00f067aa0ba902b7-01`,
  ])('is undefined for a malformed one: %s', (given) => {
    expect(traceIdOf(given)).toBeUndefined();
  });
});
