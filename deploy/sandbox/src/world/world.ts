import { FaultList } from '../faults/fault-list.ts';
import type { AppAddress } from './app-address.ts';
import { CallLog } from './call-log.ts';
import { CallbackLog } from './callback-log.ts';
import { Grants, type OAuthApp } from './grants.ts';
import { Installations } from './installations.ts';
import { MessageStore } from './message-store.ts';
import { Triggers } from './triggers.ts';
import { ViewStore } from './view-store.ts';

/** The state of one sandbox. */
export interface World {
  readonly messages: MessageStore;
  readonly calls: CallLog;
  readonly faults: FaultList;
  readonly installations: Installations;
  readonly grants: Grants;
  readonly views: ViewStore;
  readonly triggers: Triggers;
  /** The callbacks to the app, with their answers. */
  readonly callbacks: CallbackLog;
  /** Address of the app for interactions; undefined until it is set. */
  listener: AppAddress | undefined;
  /** Waits for a number of milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Options of {@link createWorld}. */
export interface WorldOptions extends Pick<World, 'listener' | 'pause'> {
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** The app that may be installed. */
  readonly app: OAuthApp;
}

/** Creates an empty world. */
export function createWorld({ now, pause, app, listener }: WorldOptions): World {
  return {
    messages: new MessageStore(now),
    calls: new CallLog(now),
    faults: new FaultList(),
    installations: new Installations(),
    grants: new Grants(app, now),
    views: new ViewStore(),
    triggers: new Triggers(now),
    callbacks: new CallbackLog(),
    listener,
    pause,
  };
}
