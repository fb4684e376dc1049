import { describe, expect, it } from '@jest/globals';
import picocolors from 'picocolors';
import { drawLine, isShown, jsonLine, type LogFilter, readLine } from './log-line.ts';

const plain = picocolors.createColors(false);
const coloured = picocolors.createColors(true);

const time = '2026-11-22T03:04:05.678Z';
const lineOf = (process: string, fields: Record<string, unknown>) =>
  readLine(process, JSON.stringify({ level: 'info', time, service: process, msg: 'request', ...fields }));

describe('a line of a log', () => {
  it('is shown as time, process, level, message, and the remaining fields', () => {
    const line = lineOf('gateway', {
      request_id: 'r-1',
      organization_id: '01a2014d-f6c4-72c1-9025-d0d8d6994922',
      trace_id: '0'.repeat(32),
      status: '200',
      reason: 'two words',
      ms: 46,
      missing: ['a'],
    });
    expect(drawLine(line, plain)).toBe(
      '03:04:05.678 gateway      info  request request_id=r-1 status=200 reason="two words" ms=46 missing=["a"]',
    );
  });

  it('shows the message of an error and its place in the sources, in the same line', () => {
    const stack = [
      'TypeError: no blocks',
      '    at parse (node:internal/x:1:1)',
      '    at send (file:///home/ada/stanza/services/delivery/src/operations/send-template.ts:12:3)',
    ].join('\n');
    const line = lineOf('delivery', {
      level: 'error',
      msg: 'failed',
      err: { type: 'TypeError', message: 'no blocks', stack },
    });
    expect(drawLine(line, plain)).toBe(
      '03:04:05.678 delivery     error failed err=TypeError: no blocks (services/delivery/src/operations/send-template.ts:12)',
    );
  });

  it('that is not JSON is shown unchanged', () => {
    expect(drawLine(readLine('delivery', '{ not JSON'), plain)).toBe(
      `${' '.repeat(12)} delivery     { not JSON`,
    );
    expect(drawLine(readLine('sandbox', '{"no":"message"}'), plain)).toContain('{"no":"message"}');
  });

  it('has the colour of its process, and no escape sequence without colours', () => {
    const line = lineOf('gateway', { level: 'warn' });
    expect(drawLine(line, coloured)).toContain(coloured.cyanBright('gateway     '));
    expect(drawLine(line, coloured)).toContain(coloured.yellow('warn '));
    expect(drawLine(line, plain)).not.toContain('\u001b');
  });

  it('as JSON is unchanged; any other text becomes a message', () => {
    const line = lineOf('gateway', { ms: 1 });
    expect(jsonLine(line)).toBe(line.text);
    expect(jsonLine(readLine('nats', '[INF] ready'))).toBe('{"service":"nats","msg":"[INF] ready"}');
  });
});

describe('a filter', () => {
  const request = lineOf('gateway', { request_id: 'r-1' });
  const warning = lineOf('delivery', { level: 'warn', request_id: 'r-2' });
  const trace = readLine('delivery', '    at run (file:///x.ts:1:1)');
  const listening = readLine('sandbox', '{"msg":"listening"}');
  const shown = (filter: LogFilter) =>
    [request, warning, trace, listening].filter((line) => isShown(line, filter));

  it('of nothing shows everything', () => {
    expect(shown({})).toEqual([request, warning, trace, listening]);
  });

  it('of processes shows all of their lines', () => {
    expect(shown({ only: new Set(['delivery']) })).toEqual([warning, trace]);
  });

  it('of a request shows the lines with its id, of all processes', () => {
    expect(shown({ request: 'r-1' })).toEqual([request]);
    expect(shown({ request: 'r-1', only: new Set(['delivery']) })).toEqual([]);
  });

  it('of a level shows that level and above; a line without a level counts as info, and text is always shown', () => {
    expect(shown({ level: 'warn' })).toEqual([warning, trace]);
    expect(shown({ level: 'info' })).toEqual([request, warning, trace, listening]);
    expect(shown({ level: 'error' })).toEqual([trace]);
  });
});
