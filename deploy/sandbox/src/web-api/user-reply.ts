import type { User } from '../world/directory.ts';

/** A person as the platform's user methods present them. */
export function userReply(user: User, workspace: string): Record<string, unknown> {
  return {
    id: user.id,
    team_id: workspace,
    name: user.email.split('@')[0],
    real_name: user.realName,
    deleted: false,
    is_bot: false,
    profile: { email: user.email, real_name: user.realName, display_name: user.realName },
  };
}
