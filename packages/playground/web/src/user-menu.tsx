/** The user at the keyboard, and a menu of the users to write as instead. */
import { useApp, useSnapshot } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import type { Snapshot, PageMember, PageUser } from "./contract.ts";
import { languageName, memberName, userName } from "./display-names.ts";
import { Icon } from "./icon.tsx";
import { useMenu } from "./menu.tsx";
import { NameAndNote } from "./name-and-note.tsx";

export function UserMenu() {
	const { becomeUser } = useApp();
	const snapshot = useSnapshot();
	const { me, members, users } = snapshot;
	const name = memberName(me);
	const items = users.map((pageUser) => {
		const { user } = pageUser;
		const member = members.find((each) => each.user.id === user.id);
		const isChosen = user.id === me.user.id;
		return {
			name: member ? memberName(member) : userName(user),
			note: member ? aboutMember(member, snapshot) : aboutOutsider(pageUser, snapshot),
			avatar: <Avatar user={user} name={userName(user)} />,
			isChosen,
			run: () => !isChosen && becomeUser(user.id),
		};
	});
	const { menu, opener } = useMenu("Write as", items);
	return (
		<div class="user-pane">
			<button type="button" class="row current-user" title="Change the user" {...opener}>
				<Avatar user={me.user} name={name} presence="online" />
				<span class="sr-only">You are </span>
				<NameAndNote note={aboutMember(me, snapshot)}>
					<b>{name}</b>
				</NameAndNote>
				<Icon name="chevron" class="up" />
			</button>
			{menu}
		</div>
	);
}

/** Roles, and the language where it is not the guild's. */
export function aboutMember({ isAdmin, roleIds, locale }: PageMember, snapshot: Snapshot): string {
	const roles = snapshot.roles
		.filter(({ id, name }) => roleIds.includes(id) && name !== "Admin")
		.map(({ name }) => name);
	const about = [...(isAdmin ? ["Admin"] : []), ...roles, ...foreignLanguage(locale, snapshot)];
	return about.join(" · ") || "Member";
}

function aboutOutsider({ guildIds, locale }: PageUser, snapshot: Snapshot): string {
	const names = snapshot.guilds.filter(({ id }) => guildIds.includes(id)).map(({ name }) => name);
	return [names.join(", ") || "In another server", ...foreignLanguage(locale, snapshot)].join(" · ");
}

function foreignLanguage(locale: string, { guildLocale }: Snapshot): string[] {
	return locale === guildLocale ? [] : [languageName(locale)];
}
