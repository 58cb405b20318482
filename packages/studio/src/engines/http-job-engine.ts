/** Engines over HTTP whose service runs jobs, and whose requests the engine file maps from options to fields. */
import type { Logger } from "pino";
import type { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { Download } from "@atelier/common/download";
import type { CatalogModel } from "./catalog-model.ts";
import type { EngineTask } from "./engine.ts";
import type { EngineKind, ServedModel } from "./engine-kind.ts";
import { createServiceClient, type ServiceClient } from "./http-client.ts";
import type { JobAdapter } from "./job-adapter.ts";
import { createRemoteJobEngine } from "./remote-job-engine.ts";
import { checkScenes, completeFields, type OptionFields, type RequestMapping } from "./request-mapping.ts";

/** A request may contain several megabytes. Free engines get less time, because another attempt is free. */
const CALL_TIMEOUT_MS = { paid: 60_000, free: 30_000 } as const;

/** The task of a job, its model, and the access to the service. */
export interface JobContext<Settings, ModelSettings> extends ServedModel<ModelSettings> {
	readonly task: EngineTask;
	/** The name of the engine. */
	readonly name: string;
	readonly settings: Settings;
	readonly client: ServiceClient;
	readonly download: Download;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function httpJobEngineKind<
	Settings extends { readonly url: string; readonly concurrency?: number },
	ModelSettings extends RequestMapping,
	Job extends object,
>(service: {
	readonly kind: string;
	readonly settings: z.ZodType<Settings>;
	readonly modelSettings: z.ZodType<ModelSettings>;
	/** True if a second job for the same task would cost money, not only time. */
	readonly isPaid: boolean;
	/** The name of the required secret, for messages. */
	readonly requiredSecret?: string;
	readonly headers: (secret: string | undefined, settings: Settings) => Readonly<Record<string, string>>;
	/** The fields of usual options; the engine file may override them. */
	readonly defaultFields?: (model: CatalogModel, settings: Settings) => OptionFields;
	/** Reports why the engine cannot serve this model. */
	readonly check?: (servedModel: ServedModel<ModelSettings>, addIssue: (message: string) => void) => void;
	readonly createJob: (context: JobContext<Settings, ModelSettings>) => JobAdapter<Job>;
}): EngineKind<Settings, ModelSettings> {
	return {
		kind: service.kind,
		settings: service.settings,
		modelSettings: service.modelSettings,
		async open(config, { clock, logger, addIssue, downloadFor }) {
			const { name, settings, secret } = config;
			if (service.requiredSecret !== undefined && secret === undefined) {
				addIssue(`engines.${name}.secret`, `expected {"env": "NAME"}, for ${service.requiredSecret}`);
			}
			const models = config.models.map(({ model, settingPath, modelSettings }) => {
				if (modelSettings.model !== undefined) {
					checkScenes(modelSettings.model, model, (message) => addIssue(`${settingPath}.model`, message));
				}
				const defaults = service.defaultFields?.(model, settings) ?? {};
				const fields = completeFields(model, modelSettings.fields, defaults, settingPath, addIssue);
				const servedModel = { model, settingPath, modelSettings: { ...modelSettings, fields } };
				service.check?.(servedModel, (message) => addIssue(settingPath, message));
				return servedModel;
			});
			const timeoutMs = CALL_TIMEOUT_MS[service.isPaid ? "paid" : "free"];
			const headers = service.headers(secret, settings);
			const client = createServiceClient({ url: settings.url, headers, timeoutMs, clock });
			const deps = { name, settings, client, download: downloadFor(client.origin), clock, logger };
			return createRemoteJobEngine(
				{ settings, models },
				{ name, isPaid: service.isPaid, clock, logger },
				(task, servedModel) => service.createJob({ ...deps, ...servedModel, task }),
			);
		},
	};
}
