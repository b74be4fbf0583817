import { createRoot } from "react-dom/client";
import { Cockpit } from "./cockpit.tsx";
import { pageAt } from "./pages.ts";

const page = pageAt(location.pathname);
document.title = page && page.path !== "/" ? `${page.title} · Writ` : "Writ";
const place = document.getElementById("cockpit");
if (place) createRoot(place).render(<Cockpit page={page} />);
