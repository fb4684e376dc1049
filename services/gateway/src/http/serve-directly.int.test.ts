import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { listening } from '../testing/client.ts';
import { routes, serveDirectly } from './app.ts';

const all = routes();
const app = express();
app.use(
  serveDirectly(all, ({ path, operation }) => async (request, response) => {
    response.json({ path, operation: operation.id, params: request.params });
  }),
);
app.use((_request, response) => void response.json('left to express'));
const server = createServer(app);
let port = 0;

const asked = async (method: string, path: string): Promise<unknown> => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  return answer.json();
};

const idAt = (at: number): string => `01938c2e-7b1a-7c3d-9e4f-00000000000${at}`;

beforeAll(async () => {
  port = await listening(server);
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('a route whose parameters are ids', () => {
  it('a route is found in one step, with its parameters, for every operation', async () => {
    for (const { path, operation } of all) {
      const params: Record<string, string> = {};
      const written = path.replace(/:(\w+)/g, (_, name: string) => {
        params[name] = idAt(Object.keys(params).length);
        return params[name] ?? '';
      });
      const found = { path, operation: operation.id, params };
      await expect(asked(operation.method, written)).resolves.toEqual(found);
    }
  });

  it.each([
    ['GET', '/v1/queues/deploys'],
    ['GET', `/v1/queues/${idAt(0)}/`],
    ['GET', `/v1/queues/${idAt(0).toUpperCase()}`],
    ['GET', `/v1/queues/${idAt(0)}x`],
    ['GET', '/v1/queues/:'],
    ['GET', `/v1/queues/:/batches/${idAt(0)}`],
    ['PUT', `/v1/queues/${idAt(0)}/events`],
  ])('is left to express where it is written otherwise: %s %s', async (method, path) => {
    await expect(asked(method, path)).resolves.toBe('left to express');
  });
});
