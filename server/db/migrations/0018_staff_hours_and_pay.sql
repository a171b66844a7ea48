CREATE TABLE "declined_classes" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"taught_class_id" uuid NOT NULL,
	"day" date NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "declined_classes_dojo_id_person_id_taught_class_id_day_pk" PRIMARY KEY("dojo_id","person_id","taught_class_id","day")
);
--> statement-breakpoint
ALTER TABLE "declined_classes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_hours" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"day" date NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"minutes" integer NOT NULL,
	"task" text NOT NULL,
	"source" text NOT NULL,
	"taught_class_id" uuid,
	"class_name" text,
	"is_continuation" boolean DEFAULT false NOT NULL,
	"approved_by" uuid,
	"approved_at" timestamp with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "staff_hours_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "staff_hours_class" UNIQUE("dojo_id","person_id","taught_class_id","day"),
	CONSTRAINT "staff_hours_minutes" CHECK ("staff_hours"."minutes" > 0),
	CONSTRAINT "staff_hours_times" CHECK (("staff_hours"."starts_at" is null) = ("staff_hours"."ends_at" is null) and "staff_hours"."starts_at" < "staff_hours"."ends_at")
);
--> statement-breakpoint
ALTER TABLE "staff_hours" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_shifts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"kiosk_id" uuid NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "staff_shifts_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "staff_shifts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "work_pins" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"pin_hash" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "work_pins_dojo_id_person_id_pk" PRIMARY KEY("dojo_id","person_id"),
	CONSTRAINT "work_pins_hash" UNIQUE("dojo_id","pin_hash")
);
--> statement-breakpoint
ALTER TABLE "work_pins" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "pay_lines" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"period_id" uuid NOT NULL,
	"hours_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"day" date NOT NULL,
	"task" text NOT NULL,
	"class_name" text,
	"minutes" integer NOT NULL,
	"pay" integer NOT NULL,
	"rate" integer,
	"unit" text,
	"is_correction" boolean NOT NULL,
	CONSTRAINT "pay_lines_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "pay_lines_entry" UNIQUE("dojo_id","period_id","hours_id")
);
--> statement-breakpoint
ALTER TABLE "pay_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "pay_periods" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"closed_by" uuid NOT NULL,
	"closed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pay_periods_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "pay_periods_start" UNIQUE("dojo_id","first_day"),
	CONSTRAINT "pay_periods_days" CHECK ("pay_periods"."first_day" <= "pay_periods"."last_day")
);
--> statement-breakpoint
ALTER TABLE "pay_periods" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "pay_rates" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"task" text NOT NULL,
	"unit" text NOT NULL,
	"amount" integer NOT NULL,
	"starts_on" date NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pay_rates_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "pay_rates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "declined_classes" ADD CONSTRAINT "declined_classes_person" FOREIGN KEY ("dojo_id","person_id") REFERENCES "public"."instructors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_hours" ADD CONSTRAINT "staff_hours_person" FOREIGN KEY ("dojo_id","person_id") REFERENCES "public"."instructors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_shifts" ADD CONSTRAINT "staff_shifts_person" FOREIGN KEY ("dojo_id","person_id") REFERENCES "public"."instructors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_shifts" ADD CONSTRAINT "staff_shifts_kiosk" FOREIGN KEY ("dojo_id","kiosk_id") REFERENCES "public"."kiosks"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_pins" ADD CONSTRAINT "work_pins_person" FOREIGN KEY ("dojo_id","person_id") REFERENCES "public"."instructors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_lines" ADD CONSTRAINT "pay_lines_period" FOREIGN KEY ("dojo_id","period_id") REFERENCES "public"."pay_periods"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_lines" ADD CONSTRAINT "pay_lines_person" FOREIGN KEY ("dojo_id","person_id") REFERENCES "public"."instructors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_rates" ADD CONSTRAINT "pay_rates_person" FOREIGN KEY ("dojo_id","person_id") REFERENCES "public"."instructors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "declined_classes_oldest" ON "declined_classes" USING btree ("created_at","dojo_id");--> statement-breakpoint
CREATE INDEX "staff_hours_of_person" ON "staff_hours" USING btree ("dojo_id","person_id","day");--> statement-breakpoint
CREATE INDEX "staff_hours_by_day" ON "staff_hours" USING btree ("dojo_id","day");--> statement-breakpoint
CREATE INDEX "staff_shifts_of_person" ON "staff_shifts" USING btree ("dojo_id","person_id");--> statement-breakpoint
CREATE INDEX "staff_shifts_of_kiosk" ON "staff_shifts" USING btree ("dojo_id","kiosk_id");--> statement-breakpoint
CREATE INDEX "pay_lines_of_entry" ON "pay_lines" USING btree ("dojo_id","hours_id");--> statement-breakpoint
CREATE INDEX "pay_lines_of_person" ON "pay_lines" USING btree ("dojo_id","person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "pay_rates_start" ON "pay_rates" USING btree ("dojo_id","person_id",lower(task),"starts_on");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "declined_classes" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "declined_classes" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "staff_hours" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "staff_hours" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "staff_shifts" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "staff_shifts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "work_pins" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "work_pins" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "pay_lines" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "pay_lines" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "pay_periods" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "pay_periods" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "pay_rates" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "pay_rates" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);