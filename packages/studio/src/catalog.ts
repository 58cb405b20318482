import type { Engine, Model } from "./engines/engine.ts";

/** The offered models and the engines that serve them. */
export interface Catalog {
	readonly models: readonly Model[];
	/** The scenes of all models; other words are typing errors. */
	readonly scenes: ReadonlySet<string>;
	find(modelId: string): Model | undefined;
	/** Returns the engines that serve a model, preferred first; none if it is no longer offered. */
	enginesOf(modelId: string): readonly Engine[];
}

/** `order` lists the preferred engines of a model. The default is the order of the list. */
export function createCatalog(
	engines: readonly Engine[],
	order: Readonly<Record<string, readonly string[]>> = {},
): Catalog {
	const rows = new Map<string, { readonly model: Model; readonly engines: Engine[] }>();
	for (const engine of engines) {
		for (const model of engine.models()) {
			const row = rows.get(model.id);
			if (row) row.engines.push(engine);
			else rows.set(model.id, { model, engines: [engine] });
		}
	}
	for (const [modelId, names] of Object.entries(order)) {
		rows.get(modelId)?.engines.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
	}
	const models = [...rows.values()].map(({ model }) => model);

	return {
		models,
		scenes: new Set(models.flatMap(({ scenes }) => scenes)),
		find: (modelId) => rows.get(modelId)?.model,
		enginesOf: (modelId) => rows.get(modelId)?.engines ?? [],
	};
}
