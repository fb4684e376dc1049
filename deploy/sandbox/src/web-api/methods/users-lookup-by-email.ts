import { findUserByEmail } from '../../world/directory.ts';
import { textArgument } from '../arguments.ts';
import { type Method, refuse } from '../method.ts';
import { userReply } from '../user-reply.ts';

/** `users.lookupByEmail`: a person by e-mail address. */
export const usersLookupByEmail: Method = {
  name: 'users.lookupByEmail',
  run({ args, caller }) {
    const user = findUserByEmail(textArgument(args, 'email') ?? '');
    return user === undefined
      ? refuse('users_not_found')
      : { ok: true, user: userReply(user, caller.workspace) };
  },
};
