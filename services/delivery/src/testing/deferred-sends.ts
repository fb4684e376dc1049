export { claimDeferred, dueSenders } from '../messages/store/deferred-sends.ts';
