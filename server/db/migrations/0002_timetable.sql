CREATE TABLE "timetable_runs" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"job" text NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "timetable_runs_dojo_id_job_day_pk" PRIMARY KEY("dojo_id","job","day")
);
--> statement-breakpoint
ALTER TABLE "timetable_runs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "timetable_runs" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "timetable_runs" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "timetable_runs" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);