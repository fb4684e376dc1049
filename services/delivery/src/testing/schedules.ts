import type {
  cancelScheduledMessage as cancelDeclaration,
  createScheduledMessage as createDeclaration,
  getScheduledMessage as getDeclaration,
  ReplyOf,
  runScheduledMessageNow as runDeclaration,
} from '@stanza/contracts';
import type { CallContext } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import { createDeferredSender } from '../messages/jobs/deferred-sends.ts';
import { orderBatch } from '../messages/origins/batch.ts';
import { cancelScheduledMessage } from '../operations/cancel-scheduled-message.ts';
import { createScheduledMessage } from '../operations/create-scheduled-message.ts';
import { getScheduledMessage } from '../operations/get-scheduled-message.ts';
import { pauseScheduledMessage } from '../operations/pause-scheduled-message.ts';
import { resumeScheduledMessage } from '../operations/resume-scheduled-message.ts';
import { runScheduledMessageNow } from '../operations/run-scheduled-message-now.ts';
import { updateScheduledMessage } from '../operations/update-scheduled-message.ts';
import { beginDueRuns } from '../schedules/jobs/due-runs.ts';
import { orderScheduled } from '../schedules/order-scheduled.ts';
import { ask, newSender, openWorld, type Sender, type World } from './world.ts';

const hourMs = 3_600_000;

/** What a replica does all the time about scheduled messages. */
export interface ScheduleWorker {
  /** Begins the runs that are due. */
  begin: () => Promise<void>;
  /** Sends what was begun. */
  sendDue: () => Promise<void>;
  /** Both. */
  work: () => Promise<void>;
}

/** Makes what a replica with these parts does. */
export const workerOf = (dependencies: Dependencies): ScheduleWorker => {
  const begin = beginDueRuns(dependencies);
  const sendDue = async (): Promise<void> => {
    const origins = { batch: orderBatch(dependencies), schedule: orderScheduled(dependencies) };
    const sender = createDeferredSender(dependencies, origins);
    await sender.begin();
    await sender.settled();
  };
  const work = async (): Promise<void> => {
    await begin();
    await sendDue();
  };
  return { begin, sendDue, work };
};

/** A world with a replica that works at its scheduled messages. */
export interface ScheduleWorld extends World {
  replica: ScheduleWorker;
}

/** Opens a {@link ScheduleWorld}. */
export const openScheduleWorld = async (): Promise<ScheduleWorld> => {
  const world = await openWorld();
  return { ...world, replica: workerOf(world) };
};

/** Lets the clock jump to a time, and this many milliseconds beyond. */
export const jumpTo = (
  { clock }: Pick<World, 'clock'>,
  time: string | null | undefined,
  beyondMs = 0,
): void => {
  clock.jump(Date.parse(time ?? '') - clock.now().getTime() + beyondMs);
};

/** The timing of a message that is sent in an hour. */
export const inAnHour = ({ clock }: Pick<World, 'clock'>): { send_at: string } => ({
  send_at: new Date(clock.now().getTime() + hourMs).toISOString(),
});

/** Someone who schedules messages to a channel of their own. */
export interface Scheduler extends Sender {
  schedule: (body: object) => Promise<ReplyOf<typeof createDeclaration>>;
  read: (id: string) => Promise<ReplyOf<typeof getDeclaration>>;
  cancel: (id: string) => Promise<ReplyOf<typeof cancelDeclaration>>;
  update: (id: string, body: object, context?: CallContext) => Promise<ReplyOf<typeof getDeclaration>>;
  pause: (id: string) => Promise<ReplyOf<typeof getDeclaration>>;
  resume: (id: string) => Promise<ReplyOf<typeof getDeclaration>>;
  runNow: (id: string, context?: CallContext) => Promise<ReplyOf<typeof runDeclaration>>;
}

/** Opens someone of a new organization, in a world where nothing else is scheduled and no other service fails. */
export const newScheduler = async (world: World): Promise<Scheduler> => {
  const { principal, channel } = await newSender(world);
  world.others.answers.failing.clear();
  world.others.answers.organization = { status: 'active' };
  await world.rows('delete from scheduled_messages');
  return {
    principal,
    channel,
    schedule: (body) =>
      ask(
        createScheduledMessage(world),
        { body: { template_id: uuidv7(), channel_id: channel, data: {}, catch_up: false, ...body } },
        principal,
      ),
    read: (id) => ask(getScheduledMessage(world), { params: { id } }, principal),
    cancel: (id) => ask(cancelScheduledMessage(world), { params: { id } }, principal),
    update: (id, body, context) =>
      ask(updateScheduledMessage(world), { params: { id }, body }, principal, context),
    pause: (id) => ask(pauseScheduledMessage(world), { params: { id } }, principal),
    resume: (id) => ask(resumeScheduledMessage(world), { params: { id } }, principal),
    runNow: (id, context) => ask(runScheduledMessageNow(world), { params: { id } }, principal, context),
  };
};
