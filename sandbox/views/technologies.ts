import type { Technology } from '../data/technologies';
import type { World } from '../data/world';

/** Active technologies whose name or vendor contains a text, whatever its case (search row). */
export function searchTechnologies(world: World, text: string): Technology[] {
  const wanted = text.trim().toLowerCase();
  return world.technologies.filter(
    (technology) =>
      technology.active &&
      (technology.name.toLowerCase().includes(wanted) ||
        technology.vendor.name.toLowerCase().includes(wanted)),
  );
}

export function technologyRow(technology: Technology) {
  return {
    tech_key: technology.key,
    display_name: technology.name,
    vendor_name: technology.vendor.name,
  };
}
