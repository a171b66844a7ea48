CREATE TABLE "calendar_feeds" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "calendar_feeds_dojo_id_account_id_pk" PRIMARY KEY("dojo_id","account_id")
);
--> statement-breakpoint
ALTER TABLE "calendar_feeds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "place_requests" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"class_id" uuid NOT NULL,
	"day" date NOT NULL,
	"student_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"given_at" timestamp with time zone,
	"created_by" uuid NOT NULL,
	CONSTRAINT "place_requests_dojo_id_class_id_day_student_id_pk" PRIMARY KEY("dojo_id","class_id","day","student_id")
);
--> statement-breakpoint
ALTER TABLE "place_requests" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "class_dates" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"class_id" uuid NOT NULL,
	"day" date NOT NULL,
	"held_on" date NOT NULL,
	"start_time" text,
	"end_time" text,
	"is_added" boolean DEFAULT false NOT NULL,
	"is_cancelled" boolean DEFAULT false NOT NULL,
	"reason" text,
	"substitute" text,
	"kept_marks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "class_dates_dojo_id_class_id_day_pk" PRIMARY KEY("dojo_id","class_id","day"),
	CONSTRAINT "class_dates_held" UNIQUE("dojo_id","class_id","held_on"),
	CONSTRAINT "class_dates_times" CHECK (("class_dates"."start_time" is null) = ("class_dates"."end_time" is null))
);
--> statement-breakpoint
ALTER TABLE "class_dates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "holidays" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "holidays_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "holidays_days" CHECK ("holidays"."first_day" <= "holidays"."last_day")
);
--> statement-breakpoint
ALTER TABLE "holidays" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "classes" ADD COLUMN "places" smallint;--> statement-breakpoint
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "place_requests" ADD CONSTRAINT "place_requests_class" FOREIGN KEY ("dojo_id","class_id") REFERENCES "public"."classes"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "place_requests" ADD CONSTRAINT "place_requests_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "class_dates" ADD CONSTRAINT "class_dates_class" FOREIGN KEY ("dojo_id","class_id") REFERENCES "public"."classes"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calendar_feeds_of_account" ON "calendar_feeds" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "calendar_feeds_by_token" ON "calendar_feeds" USING btree ("dojo_id","token_hash");--> statement-breakpoint
CREATE INDEX "place_requests_by_day" ON "place_requests" USING btree ("dojo_id","day");--> statement-breakpoint
CREATE INDEX "place_requests_of_student" ON "place_requests" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "class_dates_by_day" ON "class_dates" USING btree ("dojo_id","day");--> statement-breakpoint
CREATE INDEX "class_dates_by_held_day" ON "class_dates" USING btree ("dojo_id","held_on");--> statement-breakpoint
CREATE INDEX "holidays_by_day" ON "holidays" USING btree ("dojo_id","first_day");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "calendar_feeds" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "calendar_feeds" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "place_requests" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "place_requests" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "class_dates" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "class_dates" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "holidays" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "holidays" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);