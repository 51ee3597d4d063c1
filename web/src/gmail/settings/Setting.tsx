import type { ReactNode } from "react";

import classes from "../app.module.css";

export function Setting({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section className={classes.setting} aria-label={title}>
      <div>
        <h2>{title}</h2>
        {about !== undefined && <p>{about}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}
