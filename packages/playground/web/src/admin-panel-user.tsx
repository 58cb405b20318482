import { Action, CheckField, LanguageField, Section, type SectionProps } from "./admin-panel-fields.tsx";
import { usePage } from "./app-context.ts";
import { memberName } from "./display-names.ts";

const PERMISSIONS = { Administrator: 1n << 3n, "Manage server": 1n << 5n, "Manage messages": 1n << 13n };

/** The current user: language, roles, permissions, and direct messages. */
export function UserSection({ state, change }: SectionProps) {
	const page = usePage();
	const userId = page.me.user.id;
	const me = state.members.find(({ user }) => user.id === userId) ?? page.me;
	const bits = BigInt(me.permissions);
	const changeMember = (changed: object): void => change("PUT", "/members", { userId, ...changed });
	return (
		<Section title={memberName(page.me)}>
			<LanguageField label="Language" value={me.locale} onChange={(locale) => changeMember({ locale })} />
			<fieldset class="panel-checks">
				<legend>Roles</legend>
				{page.roles.map(({ id, name }) => (
					<CheckField
						key={id}
						label={name}
						isOn={me.roleIds.includes(id)}
						onChange={(isOn) => {
							const others = page.roles
								.map((role) => role.id)
								.filter((each) => each !== id && me.roleIds.includes(each));
							changeMember({ roleIds: isOn ? [...others, id] : others });
						}}
					/>
				))}
			</fieldset>
			<fieldset class="panel-checks">
				<legend>Permissions</legend>
				{Object.entries(PERMISSIONS).map(([name, bit]) => (
					<CheckField
						key={name}
						label={name}
						isOn={(bits & bit) !== 0n}
						onChange={(isOn) => changeMember({ permissions: String(isOn ? bits | bit : bits & ~bit) })}
					/>
				))}
			</fieldset>
			<CheckField
				label="Accepts direct messages"
				isOn={!state.closedDirectUserIds.includes(userId)}
				onChange={(isOpen) => change("PUT", "/direct", { userId, isOpen })}
			/>
			<div class="panel-line">
				<Action label="Reset" run={() => changeMember({ locale: null, permissions: null, roleIds: null })} />
			</div>
		</Section>
	);
}
