CREATE TABLE "approvals" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"rank_id" uuid NOT NULL,
	"approved_at" timestamp with time zone NOT NULL,
	"approved_by" uuid NOT NULL,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "approvals_dojo_id_student_id_rank_id_pk" PRIMARY KEY("dojo_id","student_id","rank_id")
);
--> statement-breakpoint
ALTER TABLE "approvals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "class_styles" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"class_id" uuid NOT NULL,
	"style_id" uuid NOT NULL,
	CONSTRAINT "class_styles_dojo_id_class_id_style_id_pk" PRIMARY KEY("dojo_id","class_id","style_id")
);
--> statement-breakpoint
ALTER TABLE "class_styles" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "ladders" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"style_id" uuid NOT NULL,
	"name" text NOT NULL,
	"min_age" smallint,
	"max_age" smallint,
	"age_counts" text DEFAULT 'birthday' NOT NULL,
	"continues_as" uuid,
	"template" text,
	"template_version" smallint,
	"created_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone,
	"retired_by_act" uuid,
	CONSTRAINT "ladders_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "ladders" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "ranks" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"ladder_id" uuid NOT NULL,
	"place" smallint NOT NULL,
	"name" text NOT NULL,
	"short" text,
	"colours" text[] NOT NULL,
	"pattern" text NOT NULL,
	"tags_count" smallint DEFAULT 0 NOT NULL,
	"tags_colour" text,
	"stripes" smallint DEFAULT 0 NOT NULL,
	"belt_level" text NOT NULL,
	"fee" integer,
	"min_months" smallint,
	"min_classes" smallint,
	"max_classes_a_day" smallint,
	"min_age" smallint,
	"max_age" smallint,
	"min_stripes" smallint,
	"needs_approval" boolean DEFAULT false NOT NULL,
	"needs_fee" boolean DEFAULT false NOT NULL,
	"retired_at" timestamp with time zone,
	CONSTRAINT "ranks_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "ranks_ages" CHECK ("ranks"."min_age" <= "ranks"."max_age")
);
--> statement-breakpoint
ALTER TABLE "ranks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "skill_checks" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"skill_id" uuid NOT NULL,
	"is_checked" boolean NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"checked_by" uuid NOT NULL,
	CONSTRAINT "skill_checks_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "skill_checks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "skills" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"rank_id" uuid NOT NULL,
	"place" smallint NOT NULL,
	"name" text NOT NULL,
	"required" boolean DEFAULT true NOT NULL,
	"retired_at" timestamp with time zone,
	CONSTRAINT "skills_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "skills" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "styles" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_main" boolean NOT NULL,
	"vacation_counts" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "styles_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "styles" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "candidates" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"grading_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"to_rank_id" uuid NOT NULL,
	"from_rank_id" uuid,
	"from_stripes" smallint,
	"added_at" timestamp with time zone NOT NULL,
	"invited_at" timestamp with time zone,
	"answer" text DEFAULT 'none' NOT NULL,
	"answered_at" timestamp with time zone,
	"answered_by" uuid,
	"charge_id" uuid,
	"is_fee_waived" boolean DEFAULT false NOT NULL,
	"result" text,
	"stripes_given" smallint,
	"note" text,
	"belt_change_id" uuid,
	CONSTRAINT "candidates_dojo_id_grading_id_student_id_pk" PRIMARY KEY("dojo_id","grading_id","student_id")
);
--> statement-breakpoint
ALTER TABLE "candidates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "certificate_counters" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"year" smallint NOT NULL,
	"last_number" integer NOT NULL,
	CONSTRAINT "certificate_counters_dojo_id_year_pk" PRIMARY KEY("dojo_id","year")
);
--> statement-breakpoint
ALTER TABLE "certificate_counters" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "certificates" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"belt_change_id" uuid NOT NULL,
	"year" smallint NOT NULL,
	"number" integer NOT NULL,
	"code" text NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "certificates_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "certificates_number" UNIQUE("dojo_id","year","number"),
	CONSTRAINT "certificates_of_promotion" UNIQUE("dojo_id","belt_change_id")
);
--> statement-breakpoint
ALTER TABLE "certificates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "gradings" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"style_id" uuid NOT NULL,
	"name" text NOT NULL,
	"held_on" date NOT NULL,
	"held_at" text,
	"place" text,
	"fee" integer,
	"answer_until" date,
	"examiner" text,
	"state" text DEFAULT 'draft' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "gradings_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "gradings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "kind" text DEFAULT 'promotion' NOT NULL;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "given_on" date DEFAULT current_date NOT NULL;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "style_id" uuid;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "rank_id" uuid;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "stripes" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "act_id" uuid;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "undoes" uuid;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "examiner" text;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "waived" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD COLUMN "classes_before" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "belt_size" text;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_rank" FOREIGN KEY ("dojo_id","rank_id") REFERENCES "public"."ranks"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "class_styles" ADD CONSTRAINT "class_styles_class" FOREIGN KEY ("dojo_id","class_id") REFERENCES "public"."classes"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "class_styles" ADD CONSTRAINT "class_styles_style" FOREIGN KEY ("dojo_id","style_id") REFERENCES "public"."styles"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ladders" ADD CONSTRAINT "ladders_style" FOREIGN KEY ("dojo_id","style_id") REFERENCES "public"."styles"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ladders" ADD CONSTRAINT "ladders_continues_as" FOREIGN KEY ("dojo_id","continues_as") REFERENCES "public"."ladders"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ranks" ADD CONSTRAINT "ranks_ladder" FOREIGN KEY ("dojo_id","ladder_id") REFERENCES "public"."ladders"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_checks" ADD CONSTRAINT "skill_checks_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_checks" ADD CONSTRAINT "skill_checks_skill" FOREIGN KEY ("dojo_id","skill_id") REFERENCES "public"."skills"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_rank" FOREIGN KEY ("dojo_id","rank_id") REFERENCES "public"."ranks"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidates" ADD CONSTRAINT "candidates_grading" FOREIGN KEY ("dojo_id","grading_id") REFERENCES "public"."gradings"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidates" ADD CONSTRAINT "candidates_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidates" ADD CONSTRAINT "candidates_rank" FOREIGN KEY ("dojo_id","to_rank_id") REFERENCES "public"."ranks"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidates" ADD CONSTRAINT "candidates_from_rank" FOREIGN KEY ("dojo_id","from_rank_id") REFERENCES "public"."ranks"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidates" ADD CONSTRAINT "candidates_charge" FOREIGN KEY ("dojo_id","charge_id") REFERENCES "public"."charges"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidates" ADD CONSTRAINT "candidates_belt_change" FOREIGN KEY ("dojo_id","belt_change_id") REFERENCES "public"."belt_changes"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_belt_change" FOREIGN KEY ("dojo_id","belt_change_id") REFERENCES "public"."belt_changes"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gradings" ADD CONSTRAINT "gradings_style" FOREIGN KEY ("dojo_id","style_id") REFERENCES "public"."styles"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "class_styles_of_style" ON "class_styles" USING btree ("dojo_id","style_id");--> statement-breakpoint
CREATE INDEX "ladders_of_style" ON "ladders" USING btree ("dojo_id","style_id");--> statement-breakpoint
CREATE INDEX "skill_checks_newest" ON "skill_checks" USING btree ("dojo_id","student_id","skill_id","id");--> statement-breakpoint
CREATE INDEX "skills_of_rank" ON "skills" USING btree ("dojo_id","rank_id");--> statement-breakpoint
CREATE UNIQUE INDEX "styles_main" ON "styles" USING btree ("dojo_id") WHERE is_main;--> statement-breakpoint
CREATE INDEX "candidates_of_student" ON "candidates" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "certificates_by_code" ON "certificates" USING btree ("code","dojo_id");--> statement-breakpoint
CREATE INDEX "gradings_by_day" ON "gradings" USING btree ("dojo_id","held_on");--> statement-breakpoint
ALTER TABLE "belt_changes" ADD CONSTRAINT "belt_changes_undone" FOREIGN KEY ("dojo_id","undoes") REFERENCES "public"."belt_changes"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD CONSTRAINT "belt_changes_style" FOREIGN KEY ("dojo_id","style_id") REFERENCES "public"."styles"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD CONSTRAINT "belt_changes_rank" FOREIGN KEY ("dojo_id","rank_id") REFERENCES "public"."ranks"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "belt_changes_of_act" ON "belt_changes" USING btree ("dojo_id","act_id");--> statement-breakpoint
ALTER TABLE "belt_changes" ADD CONSTRAINT "belt_changes_undoes" UNIQUE("dojo_id","undoes");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "approvals" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "approvals" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "class_styles" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "class_styles" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "ladders" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "ladders" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "ranks" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "ranks" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "skill_checks" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "skill_checks" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "skills" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "skills" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "styles" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "styles" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "candidates" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "candidates" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "certificate_counters" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "certificate_counters" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "certificates" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "certificates" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "gradings" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "gradings" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE TABLE "outgrowing_notices" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"ladder_id" uuid NOT NULL,
	"told_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outgrowing_notices_dojo_id_student_id_ladder_id_pk" PRIMARY KEY("dojo_id","student_id","ladder_id")
);
--> statement-breakpoint
ALTER TABLE "outgrowing_notices" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "outgrowing_notices" ADD CONSTRAINT "outgrowing_notices_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgrowing_notices" ADD CONSTRAINT "outgrowing_notices_ladder" FOREIGN KEY ("dojo_id","ladder_id") REFERENCES "public"."ladders"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ladders_continued" ON "ladders" USING btree ("dojo_id") WHERE continues_as is not null;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "outgrowing_notices" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "outgrowing_notices" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- Ranks change places within one transaction. Drizzle cannot express it.
ALTER TABLE "ranks" ADD CONSTRAINT "ranks_place" UNIQUE ("dojo_id", "ladder_id", "place") DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint
-- The day of a change is that of its dojo.
ALTER TABLE "belt_changes" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "belt_changes" c SET "given_on" = (c."changed_at" AT TIME ZONE d."time_zone")::date FROM "dojos" d WHERE d."id" = c."dojo_id";--> statement-breakpoint
ALTER TABLE "belt_changes" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
-- The list of students shows ranks, and is cached (decision 11). None of these is written often: ranks are given on few evenings.
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "belt_changes" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "ladders" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "ranks" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "styles" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();
