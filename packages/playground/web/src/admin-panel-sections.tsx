/** The sections of the admin panel. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
	Action,
	CheckField,
	LanguageField,
	NumberField,
	NumbersForm,
	Section,
	type SectionProps,
	SelectField,
} from "./admin-panel-fields.tsx";
import { useApp, useSnapshot } from "./app-context.ts";
import { GUILDS_MAX } from "../../src/limits.ts";
import type { AdminClient, AdminState, BoostLevel, RequestFault } from "./contract.ts";
import { CHANNEL, PERMISSION } from "./discord-constants.ts";
import { memberName, userName } from "./display-names.ts";

const SECOND_MS = 1_000;
const CLOCK_STEPS = { "+3 s": 3_000, "+15 min": 900_000, "+1 day": 86_400_000 };
/** Discord's names of the permissions that bots check most, of channels and of the whole server. */
const CHANNEL_PERMISSIONS = {
	"View Channels": 1n << 10n,
	"Send Messages": 1n << 11n,
	"Send Messages in Threads": 1n << 38n,
	"Create Public Threads": 1n << 35n,
	"Embed Links": 1n << 14n,
	"Attach Files": 1n << 15n,
	"Add Reactions": 1n << 6n,
	"Read Message History": 1n << 16n,
	"Mention Everyone": 1n << 17n,
	"Use Application Commands": 1n << 31n,
	"Manage Messages": PERMISSION.manageMessages,
	"Manage Threads": 1n << 34n,
	"Manage Webhooks": 1n << 29n,
	"Manage Roles": 1n << 28n,
	"Manage Channels": 1n << 4n,
};
const PERMISSIONS = {
	Administrator: PERMISSION.administrator,
	"Manage Server": PERMISSION.manageServer,
	"Manage Nicknames": 1n << 27n,
	"Kick Members": 1n << 1n,
	"Ban Members": 1n << 2n,
	"Timeout Members": 1n << 40n,
	...CHANNEL_PERMISSIONS,
};

/** The clock of the playground, which can be moved forward. */
export function ClockSection({ state: { nowMs }, change }: SectionProps) {
	const aheadMs = nowMs - Date.now();
	const ahead = aheadMs > SECOND_MS ? `, ${Math.round(aheadMs / SECOND_MS).toLocaleString()} s ahead` : "";
	return (
		<Section title="Clock">
			<output>{new Date(nowMs).toLocaleTimeString() + ahead}</output>
			<div class="panel-line">
				{Object.entries(CLOCK_STEPS).map(([label, advanceMs]) => (
					<Action key={label} label={label} run={() => change((admin) => admin.advanceClock({ advanceMs }))} />
				))}
			</div>
		</Section>
	);
}

const CONNECTION_ACTIONS = [
	{ act: "close", label: "Close" },
	{ act: "reconnect", label: "Request a reconnect" },
	{ act: "invalidate", label: "Invalidate the session" },
	{ act: "silence", label: "Stop answering" },
] as const;
const EVENT_ACTIONS = [
	{ act: "drop", label: "Drop the next interaction" },
	{ act: "repeat", label: "Send the next interaction twice" },
] as const;

/** Faults of the gateway: connections that end, and events that are lost or repeated. */
export function GatewaySection({ change }: SectionProps) {
	return (
		<Section title="Gateway">
			<div class="panel-line">
				{CONNECTION_ACTIONS.map(({ act, label }) => (
					<Action key={act} label={label} run={() => change((admin) => admin.gateway({ act }))} />
				))}
			</div>
			<div class="panel-line">
				{EVENT_ACTIONS.map(({ act, label }) => {
					const fault = { act, event: "INTERACTION_CREATE", times: 1 };
					return <Action key={act} label={label} run={() => change((admin) => admin.inject(fault))} />;
				})}
			</div>
		</Section>
	);
}

const discordError = (status: number, code = 0): RequestFault => ({ answer: { kind: "error", status, code } });
const FAULTS: Readonly<
	Record<string, { readonly label: string; readonly faultOf: (seconds: number) => RequestFault }>
> = {
	late: { label: "late response", faultOf: (seconds) => ({ delayMs: seconds * SECOND_MS }) },
	rateLimit: {
		label: "429, too many requests",
		faultOf: (retryAfterS) => ({ answer: { kind: "rateLimit", retryAfterS } }),
	},
	broken: { label: "500, Discord is broken", faultOf: () => discordError(500) },
	down: { label: "503, Discord is down", faultOf: () => discordError(503) },
	tooLarge: { label: "413, too large", faultOf: () => discordError(413, 40_005) },
	noAccess: { label: "403, no access", faultOf: () => discordError(403, 50_001) },
	hangUp: { label: "connection cut", faultOf: () => ({ answer: { kind: "hangUp" } }) },
	lostResponse: { label: "done, response lost", faultOf: () => ({ executes: true, answer: { kind: "hangUp" } }) },
};
const FAULT_LABELS = Object.fromEntries(Object.entries(FAULTS).map(([id, { label }]) => [id, label]));

/** Injects faults into the next requests of the bot. */
export function FaultSection({ state, change }: SectionProps) {
	const { api } = useApp();
	const routes = useSignal<readonly string[]>([]);
	const route = useSignal("");
	const fault = useSignal("late");
	useEffect(() => {
		// Without the list, faults for any request still work.
		const loadingRoutes = api.admin(state.guild.id).routes();
		loadingRoutes.then((answer) => (routes.value = answer.routes)).catch(() => undefined);
	}, []);

	const inject = (numberOf: (name: string) => number): void => {
		const scope = { times: numberOf("times"), ...(route.value !== "" && { route: route.value }) };
		change((admin) => admin.inject({ ...scope, ...FAULTS[fault.value]?.faultOf(numberOf("seconds")) }));
	};
	return (
		<Section title="Faults">
			<NumbersForm onSubmit={inject}>
				<SelectField
					label="Request"
					value={route.value}
					options={{ "": "any", ...Object.fromEntries(routes.value.map((name) => [name, name])) }}
					onChange={(value) => (route.value = value)}
				/>
				<div class="panel-line">
					<SelectField
						label="Fault"
						value={fault.value}
						options={FAULT_LABELS}
						onChange={(value) => (fault.value = value)}
					/>
					<NumberField label="Times" name="times" min={1} max={1_000} initial={1} />
					<NumberField label="Seconds" name="seconds" min={0} max={3_600} initial={2} />
				</div>
				<div class="panel-line">
					<Action label="Inject" />
					<Action label="Clear all" run={() => change((admin) => admin.clearFaults())} />
				</div>
			</NumbersForm>
			<ul class="panel-list" aria-label="Injected faults">
				{state.faults.map((injected, at) => (
					<li key={at}>{JSON.stringify(injected)}</li>
				))}
			</ul>
		</Section>
	);
}

const BOOSTS = {
	"0": "none, 10 MB a file",
	"1": "level 1, 10 MB",
	"2": "level 2, 50 MB",
	"3": "level 3, 100 MB",
};
/** The open guild: boosts, language, the membership of the bot; and the number of guilds. */
export function GuildSection({ state, change }: SectionProps) {
	const { guild, guilds } = useSnapshot();
	return (
		<Section title={guild.name}>
			<SelectField
				label="Boosts"
				value={String(state.guildSettings.boostLevel)}
				options={BOOSTS}
				onChange={(level) => change((admin) => admin.setGuild({ boostLevel: Number(level) as BoostLevel }))}
			/>
			<LanguageField
				label="Language of the server"
				value={state.guildSettings.locale}
				onChange={(locale) => change((admin) => admin.setGuild({ locale }))}
			/>
			<CheckField
				label="The bot user is a member of the server"
				isOn={state.isBotMember}
				onChange={(isMember) => change((admin) => admin.setBotMembership({ isMember }))}
			/>
			<NumbersForm onSubmit={(numberOf) => change((admin) => admin.setGuildCount({ count: numberOf("count") }))}>
				<div class="panel-line">
					<NumberField label="Servers" name="count" min={guilds.length} max={GUILDS_MAX} initial={state.guildCount} />
					<Action label="Set" />
				</div>
			</NumbersForm>
		</Section>
	);
}

/** The permissions of a role: at first that of the bot, which starts with those of @everyone. */
export function RoleSection({ state, change }: SectionProps) {
	const roleId = useSignal(state.botRoleId);
	const role = state.roles.find(({ id }) => id === roleId.value);
	const permissionBits = BigInt(role?.permissions ?? 0);
	const setPermissions = (permissions: bigint | null): void =>
		change((admin) => admin.setRole({ roleId: roleId.value, permissions: permissions?.toString() ?? null }));
	return (
		<Section title="Roles">
			<RoleField state={state} value={roleId.value} onChange={(id) => (roleId.value = id)} />
			<fieldset class="panel-checks">
				<legend>Permissions</legend>
				{Object.entries(PERMISSIONS).map(([name, bit]) => (
					<CheckField
						key={name}
						label={name}
						isOn={(permissionBits & bit) !== 0n}
						onChange={(isOn) => setPermissions(isOn ? permissionBits | bit : permissionBits & ~bit)}
					/>
				))}
			</fieldset>
			<div class="panel-line">
				<Action label="Reset" run={() => setPermissions(null)} />
			</div>
		</Section>
	);
}

function RoleField({ state, ...field }: { state: AdminState; value: string; onChange: (roleId: string) => void }) {
	const options = Object.fromEntries(
		state.roles.map(({ id, name }) => [id, id === state.botRoleId ? `${name} (the bot)` : name]),
	);
	return <SelectField label="Role" options={options} {...field} />;
}

const STATES = { inherit: "inherited", allow: "allowed", deny: "denied" };
type OverwriteState = keyof typeof STATES;

/** The overwrites of a channel: the permissions of a role that differ there from those in the server. */
export function ChannelSection({ state, change }: SectionProps) {
	const { channels } = useSnapshot();
	const texts = channels.filter(({ type }) => type === CHANNEL.text);
	const channelId = useSignal(texts[0]?.id ?? "");
	const roleId = useSignal(state.botRoleId);
	const overwrites = state.overwrites.find((each) => each.channelId === channelId.value)?.overwrites ?? [];
	const ofRole = overwrites.find(({ id }) => id === roleId.value);
	const [allow, deny] = [BigInt(ofRole?.allow ?? 0), BigInt(ofRole?.deny ?? 0)];
	const stateOf = (bit: bigint): OverwriteState =>
		(allow & bit) !== 0n ? "allow" : (deny & bit) !== 0n ? "deny" : "inherit";
	const set = (bit: bigint, chosen: string): void => {
		const changed = {
			id: roleId.value,
			type: 0 as const,
			allow: String(chosen === "allow" ? allow | bit : allow & ~bit),
			deny: String(chosen === "deny" ? deny | bit : deny & ~bit),
		};
		const others = overwrites.filter((each) => each !== ofRole);
		const input = { channelId: channelId.value, overwrites: [...others, changed] };
		change((admin) => admin.setOverwrites(input));
	};
	return (
		<Section title="Channel permissions">
			<SelectField
				label="Channel"
				value={channelId.value}
				options={Object.fromEntries(texts.map(({ id, name }) => [id, `#${name}`]))}
				onChange={(id) => (channelId.value = id)}
			/>
			<RoleField state={state} value={roleId.value} onChange={(id) => (roleId.value = id)} />
			<div class="panel-line">
				{Object.entries(CHANNEL_PERMISSIONS).map(([name, bit]) => (
					<SelectField
						key={name}
						label={name}
						value={stateOf(bit)}
						options={STATES}
						onChange={(chosen) => set(bit, chosen)}
					/>
				))}
			</div>
		</Section>
	);
}

/** The users who are in the open guild, and those who can join it. */
export function MembersSection({ state, change }: SectionProps) {
	const { users } = useSnapshot();
	const memberIds = new Set(state.members.map(({ user }) => user.id));
	return (
		<Section title="Members">
			<ul class="panel-list" aria-label="Members and other users">
				{users.map(({ user }) => {
					const isMember = memberIds.has(user.id);
					const input = { userId: user.id };
					return (
						<li key={user.id}>
							{userName(user)}{" "}
							<Action
								label={isMember ? "Leave" : "Join"}
								run={() => change((admin) => (isMember ? admin.removeMember(input) : admin.addMember(input)))}
							/>
						</li>
					);
				})}
			</ul>
		</Section>
	);
}

/** The current user: language, roles, and direct messages. */
export function UserSection({ state, change }: SectionProps) {
	const snapshot = useSnapshot();
	const userId = snapshot.me.user.id;
	const me = state.members.find(({ user }) => user.id === userId) ?? snapshot.me;
	const roleIds = snapshot.roles.map(({ id }) => id).filter((id) => me.roleIds.includes(id));
	const changeMember = (changes: Omit<Parameters<AdminClient["setMember"]>[0], "userId">): void =>
		change((admin) => admin.setMember({ userId, ...changes }));
	return (
		<Section title={memberName(snapshot.me)}>
			<LanguageField label="Language" value={me.locale} onChange={(locale) => changeMember({ locale })} />
			<fieldset class="panel-checks">
				<legend>Roles</legend>
				{snapshot.roles.map(({ id, name }) => (
					<CheckField
						key={id}
						label={name}
						isOn={roleIds.includes(id)}
						onChange={(isOn) =>
							changeMember({ roleIds: isOn ? [...roleIds, id] : roleIds.filter((each) => each !== id) })
						}
					/>
				))}
			</fieldset>
			<CheckField
				label="Accepts direct messages"
				isOn={!state.closedDirectUserIds.includes(userId)}
				onChange={(isOpen) => change((admin) => admin.setAcceptsDirectMessages({ userId, isOpen }))}
			/>
			<div class="panel-line">
				<Action label="Reset" run={() => changeMember({ locale: null, roleIds: null })} />
			</div>
		</Section>
	);
}

/** Purchases and refunds of the items that the application sells. */
export function ShopSection({ state: { skus, entitlements }, change }: SectionProps) {
	const userId = useSnapshot().me.user.id;
	return (
		<Section title="Shop">
			<div class="panel-line">
				{skus.map(({ id, name }) => (
					<Action key={id} label={`Buy ${name}`} run={() => change((admin) => admin.buy({ skuId: id, userId }))} />
				))}
			</div>
			<ul class="panel-list" aria-label="Purchases">
				{entitlements.toReversed().map(({ id, sku_id: skuId, consumed, deleted }) => (
					<li key={id}>
						{skus.find((item) => item.id === skuId)?.name ?? "An item"},{" "}
						{deleted ? "refunded" : consumed ? "consumed" : "not consumed yet"}{" "}
						{!deleted && <Action label="Refund" run={() => change((admin) => admin.refund({ entitlementId: id }))} />}
					</li>
				))}
			</ul>
		</Section>
	);
}
