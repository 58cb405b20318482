/** Binds a store to one bot, so that the playground never opens the data of a real bot, nor a bot those of a trial. */
import { OperatorError } from "@atelier/common/operator-error";
import type { Store } from "@atelier/store/store";
import type { Config } from "../config/load-config.ts";

const OWNER_KEY = "installation:owner";
const PLAYGROUND = "playground";

interface StoreOwner {
	/** The user id of the bot, or `playground`. */
	readonly botId: string;
}

type OwnerConfig = Pick<Config, "DISCORD_TOKEN">;

/** Throws an `OperatorError` if the store belongs to another bot. */
export async function checkStoreOwner(store: Pick<Store, "get">, config: OwnerConfig): Promise<void> {
	const botId = botIdOf(config);
	const owner = (await store.get<StoreOwner>(OWNER_KEY))?.value.botId ?? botId;
	if (owner !== botId) throw new OperatorError(explainOwner(owner, botId));
}

/** Binds a new store. Call it when Discord has accepted the token: a wrong one must not bind the store. */
export async function bindStore(store: Pick<Store, "compareAndSet">, config: OwnerConfig): Promise<void> {
	await store.compareAndSet(OWNER_KEY, undefined, { botId: botIdOf(config) } satisfies StoreOwner);
}

/** A token begins with the id of its bot, in base64. Stand-ins for Discord may have others. */
function botIdOf({ DISCORD_TOKEN }: OwnerConfig): string {
	if (DISCORD_TOKEN === undefined) return PLAYGROUND;
	const id = Buffer.from(DISCORD_TOKEN.split(".", 1)[0] ?? "", "base64").toString();
	return /^\d{17,20}$/.test(id) ? id : "unknown";
}

function explainOwner(owner: string, botId: string): string {
	if (owner === PLAYGROUND)
		return "the store holds the trial data of the playground, which does not follow into production. Delete it, or set another DATA_DIR (and STORE_URL, if that is set).";
	if (botId === PLAYGROUND)
		return `the store belongs to the bot ${owner}, and without DISCORD_TOKEN the playground would open it. Set DISCORD_TOKEN, or for a trial another DATA_DIR (and STORE_URL, if that is set).`;
	return `the store belongs to the bot ${owner}, and DISCORD_TOKEN is that of the bot ${botId}. Each bot needs its own STORE_URL and DATA_DIR.`;
}
