import type { CatalogModel } from "./engines/catalog-model.ts";
import type { Engine } from "./engines/engine.ts";

export type Catalog = ReturnType<typeof createCatalog>;

/** The offered models. A model that several engines serve is described by the first of them. */
export function createCatalog(engines: readonly Engine[]) {
	const byId = new Map<string, CatalogModel>();
	for (const model of engines.flatMap((engine) => engine.models())) {
		if (!byId.has(model.id)) byId.set(model.id, model);
	}
	const models = [...byId.values()];

	return {
		models,
		/** The scenes of all models. A request with another scene contains a typing error. */
		scenes: new Set(models.flatMap(({ scenes }) => scenes)),
		/** Returns `undefined` for a model that is not offered. */
		find: (modelId: string): CatalogModel | undefined => byId.get(modelId),
	};
}
