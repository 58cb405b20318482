/** The common part of services that host models of many vendors, pay per use. */
import type { Logger } from "pino";
import { z } from "zod";
import type { Download } from "@atelier/common/download";
import { UPSCALE_SCENE, type EngineTask, type Model } from "./engine.ts";
import { remoteSettings, type EngineKind } from "./engine-factory.ts";
import { createJobEngine } from "./job-engine.ts";
import type { JobService } from "./job-runner.ts";
import { checkFields, checkScenes, orderFields, perScene, type OrderFields } from "./request-mapping.ts";
import { createServiceCaller, type ServiceCaller } from "./http-client.ts";

/** A request may contain an image of several megabytes. */
const CALL_TIMEOUT_MS = 60_000;

export interface HostedDeps {
	readonly name: string;
	readonly caller: ServiceCaller;
	readonly download: Download;
	readonly logger: Logger;
}

export interface HostedOrder {
	readonly model: Model;
	/** The model's name at the service. */
	readonly named: string | Readonly<Record<string, string>>;
	/** The name of the prompt field. */
	readonly prompt: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly fields: OrderFields;
}

interface HostedService<Job extends object> {
	readonly kind: string;
	/** The default URL of the service. */
	readonly url: string;
	/** The format of its model names. */
	readonly named: z.ZodType<string>;
	/** The name of its secret, for messages. */
	readonly secretWords: string;
	readonly authorization: (secret: string) => string;
	readonly jobFor: (deps: HostedDeps, order: HostedOrder, task: EngineTask) => JobService<Job>;
}

interface Serving {
	readonly model: string | Record<string, string>;
	readonly prompt: string;
	readonly input: Record<string, unknown>;
	readonly fields: OrderFields;
}

export function hostedModelsKind<Job extends object>(service: HostedService<Job>) {
	const settings = z.strictObject({ ...remoteSettings, url: remoteSettings.url.default(service.url) });
	const serving: z.ZodType<Serving> = z.strictObject({
		...orderFields,
		model: perScene(service.named),
		prompt: z.string().min(1).default("prompt"),
	});
	const kind: EngineKind<z.infer<typeof settings>, Serving> = {
		kind: service.kind,
		settings,
		serving,
		ownModels: [],
		async open(entry, { clock, logger, fault, downloadFor }) {
			const { name, settings: given, secret, models } = entry;
			if (secret === undefined)
				fault(`engines.${name}.secret`, `expected {"env": "NAME"} or {"file": "PATH"}, for ${service.secretWords}`);
			for (const { model, serving: order, place } of models) {
				checkScenes(order.model, model, (message) => fault(`${place}.model`, message));
				checkFields(order.fields, model, (option, message) => fault(`${place}.fields.${option}`, message));
			}
			const headers = { authorization: service.authorization(secret ?? "") };
			const caller = createServiceCaller({ url: given.url, headers, timeoutMs: CALL_TIMEOUT_MS, clock });
			const deps: HostedDeps = { name, caller, download: downloadFor(caller.origin), logger };
			return createJobEngine(entry, { isPaid: true, clock, logger }, (task, { model, serving: order }) =>
				service.jobFor(deps, { ...order, model, named: order.model }, task),
			);
		},
	};
	return kind;
}

/** Upscalers take an image without a prompt. */
export function promptOf({ prompt }: HostedOrder, { scene }: EngineTask): string | undefined {
	return scene === UPSCALE_SCENE ? undefined : prompt;
}
