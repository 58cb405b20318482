/** User clients of the members of a server, and the ids of what its members know by name. */
import { assert, onTestFinished } from "vitest";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { openAtelier } from "./start-atelier.ts";

type Users = readonly { readonly user: { readonly id: string; readonly global_name: string | null } }[];

/** Opens user clients of the owner, of Ada with the roles Artists and Patrons, and of Grace with the role Artists. */
export async function openAtelierWithMembers(setup: Parameters<typeof openAtelier>[0] = {}) {
	const { atelier, userClient: owner, logs } = await openAtelier(setup);
	const { members, roles } = await owner.state();
	const idOf = (name: string): string => userIdOf(members, name);
	const openMember = async (name: string): Promise<UserClient> => {
		const client = await openUserClient(atelier.origin, { user: idOf(name) });
		onTestFinished(() => client.close());
		return client;
	};
	const roleId = (name: string): string => idByName(roles, name);
	const ada = await openMember("Ada");
	const grace = await openMember("Grace");
	return { atelier, owner, ada, grace, open: openMember, idOf, roleId, logs, stop: () => atelier.stop() };
}

export const channelIdOf = async (userClient: UserClient, name: string): Promise<string> =>
	idByName((await userClient.state()).channels, name);

export const userIdOf = (users: Users, name: string): string =>
	idByName(
		users.map(({ user }) => ({ id: user.id, name: user.global_name })),
		name,
	);

function idByName(
	items: readonly { readonly id: string; readonly name?: string | null | undefined }[],
	name: string,
): string {
	return items.find((item) => item.name === name)?.id ?? assert.fail(`${name} does not exist`);
}
