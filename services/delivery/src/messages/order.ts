import type { sendBulk, sendTemplate, testSendBlocks, testSendVersion } from '@stanza/contracts';
import { type Call, namedTemplateId, type TemplateLookup } from '@stanza/runtime';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { type BulkOrder, type Compilation, type MessageOrder, noId } from './message.ts';
import { recipientOf } from './recipient.ts';

type SendCall = Call<typeof sendTemplate>;
type BulkCall = Call<typeof sendBulk>;
type VersionTestCall = Call<typeof testSendVersion>;
type BlocksTestCall = Call<typeof testSendBlocks>;

const compilationOf = (
  { data, strict, locale, timezone }: Omit<Compilation, 'template_id'>,
  template_id: string,
): Compilation => ({
  template_id,
  data,
  strict,
  locale,
  timezone,
});

const lookupOf = (
  { rpc }: Pick<Dependencies, 'rpc'>,
  { context, tenant }: Pick<SendCall, 'context' | 'tenant'>,
): TemplateLookup => ({ rpc, context, tenant });

const factsOf = (
  { clock }: Pick<Dependencies, 'clock'>,
  call: Pick<SendCall, 'tenant' | 'context' | 'principal' | 'log'>,
) => ({
  tenant: call.tenant,
  context: call.context,
  actorId: call.principal.actor.id,
  originId: null,
  deadline: Deadline.forCaller(clock, call.context.deadline),
  log: call.log,
});

/** The message of a send request. */
export const orderOf = async (
  dependencies: Pick<Dependencies, 'clock' | 'rpc'>,
  call: SendCall,
): Promise<MessageOrder> => {
  const { body } = call.input;
  return {
    ...factsOf(dependencies, call),
    origin: 'send',
    compilation: compilationOf(body, await namedTemplateId(lookupOf(dependencies, call), body)),
    recipient: recipientOf(body),
    threadTs: body.thread_ts ?? null,
  };
};

/** The message of a test of a version. */
export const versionTestOf = (
  dependencies: Pick<Dependencies, 'clock'>,
  call: VersionTestCall,
): MessageOrder => {
  const { params, body } = call.input;
  return {
    ...factsOf(dependencies, call),
    origin: 'send',
    compilation: compilationOf(body, params.id),
    test: { version_id: params.version_id },
    recipient: recipientOf(body),
    threadTs: null,
  };
};

/** The message of a test of blocks, which may belong to a template. */
export const blocksTestOf = async (
  dependencies: Pick<Dependencies, 'clock' | 'rpc'>,
  call: BlocksTestCall,
): Promise<MessageOrder> => {
  const { body } = call.input;
  const isNamed = body.template_id !== undefined || body.template_key !== undefined;
  const templateId = isNamed ? await namedTemplateId(lookupOf(dependencies, call), body) : noId;
  return {
    ...factsOf(dependencies, call),
    origin: 'send',
    compilation: compilationOf(body, templateId),
    test: { blocks: body.blocks },
    recipient: recipientOf(body),
    threadTs: null,
  };
};

/** The messages of a bulk send request. */
export const bulkOrderOf = async (
  dependencies: Pick<Dependencies, 'clock' | 'rpc'>,
  call: BulkCall,
): Promise<BulkOrder> => {
  const { body } = call.input;
  return {
    ...factsOf(dependencies, call),
    origin: 'bulk',
    compilation: compilationOf(body, await namedTemplateId(lookupOf(dependencies, call), body)),
    recipients: body.destinations.map(recipientOf),
    threadTs: null,
  };
};
