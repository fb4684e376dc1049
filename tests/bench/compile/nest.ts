import 'reflect-metadata';
import { fork } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  Body,
  Controller,
  Headers,
  HttpCode,
  Inject,
  Module,
  Post,
  UnauthorizedException,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientsModule,
  MessagePattern,
  type NatsOptions,
  Payload,
  Transport,
} from '@nestjs/microservices';
import pg from 'pg';
import { firstValueFrom } from 'rxjs';
import { z } from 'zod';
import { blocksOf, source } from '../handlebars-message.ts';

/**
 * The peer of a compile: the same work as people build it on NestJS. A controller checks the key (by its hash, kept
 * in memory) and the body, and asks a microservice over NATS, which reads the live version from Postgres, renders
 * it with handlebars, parses the JSON and charges one credit with a ledger row.
 *
 * Decorators are applied as functions, because Node strips types but transforms nothing.
 */
const options: NatsOptions & { transport: Transport.NATS } = {
  transport: Transport.NATS,
  options: { servers: [process.env.BENCH_NATS_URL ?? ''], queue: 'peer' },
};
const bodySchema = z.strictObject({ template_id: z.uuid(), data: z.record(z.string(), z.unknown()) });
const keyHash = createHash('sha256')
  .update(process.env.BENCH_KEY ?? '')
  .digest('hex');

const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL, max: 10 });

const prepare = async (templateId: string): Promise<void> => {
  await pool.query(`
    drop schema if exists bench_peer cascade;
    create schema bench_peer;
    create table bench_peer.templates (id uuid primary key, version_id uuid not null, source text not null);
    create table bench_peer.accounts (id int primary key, balance bigint not null);
    create table bench_peer.ledger (id uuid primary key, account_id int not null, amount int not null, created_at timestamptz not null default now());
    insert into bench_peer.accounts values (1, 100000000)`);
  await pool.query('insert into bench_peer.templates values ($1, $2, $3)', [
    templateId,
    randomUUID(),
    source,
  ]);
};

const render = async ({ template_id, data }: z.output<typeof bodySchema>): Promise<unknown> => {
  const found = await pool.query('select version_id, source from bench_peer.templates where id = $1', [
    template_id,
  ]);
  const { version_id, source: text } = found.rows[0];
  const blocks = blocksOf(version_id, text, data);
  const creditLogId = randomUUID();
  const charged = await pool.query(
    `with charged as (update bench_peer.accounts set balance = balance - 1 where id = 1 and balance > 0 returning balance),
          logged as (insert into bench_peer.ledger (id, account_id, amount) select $1, 1, -1 from charged)
     select balance from charged`,
    [creditLogId],
  );
  return {
    success: true,
    version_id,
    blocks,
    credit_log_id: creditLogId,
    remaining_credits: charged.rows[0].balance,
  };
};

const decorate = (type: { prototype: object }, method: string, ...decorators: MethodDecorator[]): void => {
  const descriptor = Object.getOwnPropertyDescriptor(type.prototype, method);
  for (const apply of decorators) if (descriptor) apply(type.prototype, method, descriptor);
};

class Renderer {
  render(payload: z.output<typeof bodySchema>): Promise<unknown> {
    return render(payload);
  }
}
Controller()(Renderer);
decorate(Renderer, 'render', MessagePattern('compile'));
Payload()(Renderer.prototype, 'render', 0);

class Front {
  readonly client: ClientProxy;

  constructor(client: ClientProxy) {
    this.client = client;
  }

  compile(body: unknown, authorization: string | undefined): Promise<unknown> {
    const token = authorization?.replace('Bearer ', '') ?? '';
    if (createHash('sha256').update(token).digest('hex') !== keyHash) throw new UnauthorizedException();
    return firstValueFrom(this.client.send('compile', bodySchema.parse(body)));
  }
}
Controller()(Front);
Inject('COMPILE')(Front, undefined, 0);
decorate(Front, 'compile', Post('compile'), HttpCode(200));
Body()(Front.prototype, 'compile', 0);
Headers('authorization')(Front.prototype, 'compile', 1);

class ServiceModule {}
Module({ controllers: [Renderer] })(ServiceModule);

class FrontModule {}
Module({ imports: [ClientsModule.register([{ name: 'COMPILE', ...options }])], controllers: [Front] })(
  FrontModule,
);

const startService = async (): Promise<void> => {
  await prepare(process.env.BENCH_TEMPLATE_ID ?? '');
  const service = await NestFactory.createMicroservice(ServiceModule, { ...options, logger: false });
  await service.listen();
  process.send?.('ready');
};

const startFront = async (): Promise<void> => {
  const child = fork(import.meta.filename, ['service'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  const front = await NestFactory.create(FrontModule, { logger: false });
  await front.listen(0, '127.0.0.1');
  const address = front.getHttpServer().address();
  process.send?.(address.port);
};

// Ends with its parent, in any role.
process.once('disconnect', () => process.exit(0));

await (process.argv[2] === 'service' ? startService() : startFront());
