/** The user at the keyboard, and a menu of the users to write as instead. */
import { useRef } from "preact/hooks";
import { useApp, usePage } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import type { Page, PageMember, PageUser } from "./contract.ts";
import { languageName, memberName, userName } from "./display-names.ts";
import { focusByArrow } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { NameAndNote } from "./name-and-note.tsx";

export function UserMenu() {
	const page = usePage();
	const menu = useRef<HTMLDivElement>(null);
	const name = memberName(page.me);
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
				{page.users.map((pageUser) => (
					<UserRow key={pageUser.user.id} pageUser={pageUser} close={() => menu.current?.hidePopover()} />
				))}
				<p class="note menu-note">Open this page twice to be two users at once.</p>
			</div>
			<button type="button" class="row current-user" popovertarget="user-menu" title="Change the user">
				<Avatar user={page.me.user} name={name} presence="online" />
				<span class="sr-only">You are </span>
				<NameAndNote note={aboutMember(page.me, page)}>
					<b>{name}</b>
				</NameAndNote>
				<Icon name="chevron" class="up" />
			</button>
		</div>
	);
}

function UserRow({ pageUser, close }: { pageUser: PageUser; close: () => void }) {
	const { becomeUser } = useApp();
	const page = usePage();
	const { user } = pageUser;
	const isMe = user.id === page.me.user.id;
	const member = page.members.find((each) => each.user.id === user.id);
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
			<NameAndNote note={member ? aboutMember(member, page) : aboutOutsider(pageUser, page)}>
				{member ? memberName(member) : userName(user)}
			</NameAndNote>
			{isMe && <Icon name="check" />}
		</button>
	);
}

/** Roles, and the language where it is not the guild's. */
export function aboutMember({ isAdmin, roleIds, locale }: PageMember, page: Page): string {
	const roles = page.roles.filter(({ id, name }) => roleIds.includes(id) && name !== "Admin").map(({ name }) => name);
	const about = [...(isAdmin ? ["Admin"] : []), ...roles, ...foreignLanguage(locale, page)];
	return about.join(" · ") || "Member";
}

function aboutOutsider({ guildIds, locale }: PageUser, page: Page): string {
	const names = page.guilds.filter(({ id }) => guildIds.includes(id)).map(({ name }) => name);
	return [names.join(", ") || "In another server", ...foreignLanguage(locale, page)].join(" · ");
}

function foreignLanguage(locale: string, { guildLocale }: Page): string[] {
	return locale === guildLocale ? [] : [languageName(locale)];
}
