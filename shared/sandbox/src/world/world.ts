import { FaultList } from '../faults/fault-list.ts';
import { CallLog } from './call-log.ts';
import { Grants, type OAuthApp } from './grants.ts';
import { Installations } from './installations.ts';
import { MessageStore } from './message-store.ts';

/** Everything that one sandbox remembers. */
export interface World {
  readonly messages: MessageStore;
  readonly calls: CallLog;
  readonly faults: FaultList;
  readonly installations: Installations;
  readonly grants: Grants;
}

/** A world in which nothing has happened yet. `now` tells the time in milliseconds since 1970; `app` may be installed. */
export function createWorld(now: () => number, app: OAuthApp): World {
  return {
    messages: new MessageStore(now),
    calls: new CallLog(now),
    faults: new FaultList(),
    installations: new Installations(),
    grants: new Grants(app, now),
  };
}
