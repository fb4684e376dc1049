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
}

/** A world in which nothing has happened yet. `now` tells the time in milliseconds since 1970; `app` may be installed. */
export function createWorld(now: () => number, app: OAuthApp, listener?: AppAddress): World {
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
  };
}
