import { FaultList } from '../faults/fault-list.ts';
import type { AppAddress } from '../interactions/app-address.ts';
import { CallbackLog } from '../interactions/callback-log.ts';
import { CallLog } from './call-log.ts';
import { Grants, type OAuthApp } from './grants.ts';
import { Installations } from './installations.ts';
import { MessageStore } from './message-store.ts';
import { Triggers } from './triggers.ts';
import { ViewStore } from './view-store.ts';

/** Everything that one sandbox remembers. */
export interface World {
  readonly messages: MessageStore;
  readonly calls: CallLog;
  readonly faults: FaultList;
  readonly installations: Installations;
  readonly grants: Grants;
  readonly views: ViewStore;
  readonly triggers: Triggers;
  /** What it told the app, and how that answered. */
  readonly callbacks: CallbackLog;
  /** Where the app takes interactions; nowhere until somebody says so. */
  listener: AppAddress | undefined;
  /** Waits for so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** What a world is made with. */
export interface WorldOptions extends Pick<World, 'listener' | 'pause'> {
  /** Tells the time in milliseconds since 1970. */
  readonly now: () => number;
  /** The app that may be installed. */
  readonly app: OAuthApp;
}

/** A world in which nothing has happened yet. */
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
