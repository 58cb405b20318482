/** The user at the keyboard, and a menu of the users to write as instead. */
import { useRef } from "preact/hooks";
import { useApp, useSnapshot } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import type { Snapshot, PageMember, PageUser } from "./contract.ts";
import { languageName, memberName, userName } from "./display-names.ts";
import { focusByArrow } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { NameAndNote } from "./name-and-note.tsx";

export function UserMenu() {
	const snapshot = useSnapshot();
	const menu = useRef<HTMLDivElement>(null);
	const name = memberName(snapshot.me);
	return (
		<div class="user-pane">
			<div
				ref={menu}
				id="user-menu"
				class="user-menu"
				popover="auto"
				aria-label="Write as"
				onToggle={({ newState }) => {
					if (newState === "open") menu.current?.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
				}}
				onKeyDown={focusByArrow}
			>
				<p class="menu-label">Write as</p>
				{snapshot.users.map((pageUser) => (
					<UserRow key={pageUser.user.id} pageUser={pageUser} close={() => menu.current?.hidePopover()} />
				))}
				<p class="note menu-note">Open this page twice to be two users at once.</p>
			</div>
			<button type="button" class="row current-user" popovertarget="user-menu" title="Change the user">
				<Avatar user={snapshot.me.user} name={name} presence="online" />
				<span class="sr-only">You are </span>
				<NameAndNote note={aboutMember(snapshot.me, snapshot)}>
					<b>{name}</b>
				</NameAndNote>
				<Icon name="chevron" class="up" />
			</button>
		</div>
	);
}

function UserRow({ pageUser, close }: { pageUser: PageUser; close: () => void }) {
	const { becomeUser } = useApp();
	const snapshot = useSnapshot();
	const { user } = pageUser;
	const isMe = user.id === snapshot.me.user.id;
	const member = snapshot.members.find((each) => each.user.id === user.id);
	return (
		<button
			type="button"
			class="row menu-row"
			aria-pressed={isMe}
			onClick={() => {
				close();
				if (!isMe) becomeUser(user.id);
			}}
		>
			<Avatar user={user} name={userName(user)} />
			<NameAndNote note={member ? aboutMember(member, snapshot) : aboutOutsider(pageUser, snapshot)}>
				{member ? memberName(member) : userName(user)}
			</NameAndNote>
			{isMe && <Icon name="check" />}
		</button>
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
