import { allUsers, findUser, findUserByEmail } from '../../world/directory.ts';
import { textArgument } from '../arguments.ts';
import { listPage } from '../list-page.ts';
import { type Method, refuse } from '../method.ts';
import { userReply } from '../user-reply.ts';

/** `users.info`: a person by id, with the language of the account where it is asked for. */
export const usersInfo: Method = {
  name: 'users.info',
  run({ args, caller }) {
    const user = findUser(textArgument(args, 'user') ?? '');
    if (user === undefined) return refuse('user_not_found');
    const isAsked = ['true', '1'].includes(textArgument(args, 'include_locale') ?? '');
    const reply = userReply(user, caller.workspace);
    return { ok: true, user: isAsked ? { ...reply, locale: user.locale } : reply };
  },
};

/** `users.list`: every person, page by page. */
export const usersList: Method = {
  name: 'users.list',
  run({ args, caller }) {
    return listPage(
      'members',
      allUsers().map((user) => userReply(user, caller.workspace)),
      args,
    );
  },
};

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
